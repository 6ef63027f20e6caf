# SPDX-License-Identifier: BSD-3-Clause
"""Options: who runs what, where, with which environment, on which processors; where output goes."""
import grp
import os
import shutil
import socket

from harness import contains, same


def cases(l):
    host = socket.gethostname()
    allowed = sorted(os.sched_getaffinity(0))

    def shell(*words, env=None, name="mpiexec", script="true", **options):
        return l.run(*words, "sh", "-c", script, env=env, name=name, **options)

    def ranks():
        result = shell("-n", 4, script="echo $PMI_RANK $PMI_SIZE $MPI_LOCALRANKID $MPI_LOCALNRANKS $MVP_COMM_WORLD_RANK "
                       "$MV2_COMM_WORLD_SIZE $MVP_COMM_WORLD_LOCAL_RANK $MV2_COMM_WORLD_LOCAL_SIZE")
        same(result.lines(), [f"{r} 4 {r} 4 {r} 4 {r} 4" for r in range(4)])
        same((result.code, result.err), (0, ""))

    def spellings():
        for words in (["-np", 2], ["--np", 2], ["-n=2"], ["--n=2"], ["-ppn", 2], ["-hosts", "localhost:2"],
                      ["-host", f"{host}:2"]):
            same(shell(*words, script="echo a").out, "a\na\n", words)

    def mpmd():
        result = l.run("-n", 1, "-env", "X", "1", "sh", "-c", "echo a $PMI_RANK $PMI_APPNUM $X", ":", "-n", 2, "sh", "-c",
                       "echo b $PMI_RANK $PMI_APPNUM $X")
        same([line.rstrip() for line in result.lines()], ["a 0 0 1", "b 1 1", "b 2 1"])

    def config_file():
        path = l.folder / "programs"
        path.write_text("# a comment\n-n 2 sh -c 'echo a $PMI_RANK'\n-n 1 sh -c 'echo b $PMI_RANK'\n")
        same(l.run("-configfile", path).lines(), ["a 0", "a 1", "b 2"])
        path.write_text("-n 2 : sh -c 'echo a $PMI_RANK'\n-n 1 : sh -c 'echo b $PMI_RANK'\n")
        same(l.run("-np", 3, "-config", path, name="mpirun_rsh").lines(), ["a 0", "a 1", "b 2"])

    def hosts():
        path = l.folder / "hosts"
        path.write_text(f"# hosts\nlocalhost:1\n{host}:2\n")
        same(shell("-f", path, script="echo a").out, "a\n" * 3)
        same(shell("-n", 2, "-hostfile", path, script="echo a").out, "a\n" * 2)
        same(shell("-np", 2, "localhost", host, script="echo a", name="mpirun_rsh").out, "a\n" * 2)
        path.write_text("elsewhere\n")
        for words in (["-machinefile", path], ["-hosts", "localhost,elsewhere"]):
            result = shell("-n", 2, *words)
            same(result.code, 2)
            contains(result.err, "elsewhere", "not supported yet")
        contains(l.run("-np", 2, "elsewhere", "elsewhere", "true", name="mpirun_rsh").err, "elsewhere", "not supported yet")

    def directory():
        same(shell("-n", 1, "-wdir", "/usr", script="pwd").out, "/usr\n")
        result = shell("-n", 1, "-wdir", "/nonexistent")
        same(result.code, 127)
        contains(result.err, "working directory")
        script = l.folder / "sub"
        script.mkdir()
        (script / "tool").write_text("#!/bin/sh\necho tool\n")
        (script / "tool").chmod(0o755)
        same(l.run("-n", 1, "-wdir", script, "./tool").out, "tool\n")
        same(l.run("-n", 1, "-wdir", script, "tool").out, "tool\n")
        same(l.run("-n", 1, "-path", script, "tool").out, "tool\n")
        (script / "plain").write_text("echo plain $1\n")
        (script / "plain").chmod(0o755)
        same(l.run("-n", 1, script / "plain", "x").out, "plain x\n")  # no #!: for the shell

    def environment():
        show = "echo ${A-none} ${B-none}"
        env = {"A": "1", "B": "2"}
        for words, expected in (([], "1 2"), (["-genvnone"], "none none"), (["-genvlist", "B"], "none 2"),
                                (["-genv", "A", "x"], "x 2"),
                                (["-genv", "A=x"], "x 2"), (["A=y"], "y 2"), (["-genvnone", "-envlist", "A"], "1 none"),
                                (["-genvnone", "-envall"], "1 2"), (["-env", "B", ""], "1"), (["-genvexcl", "A"], "none 2"),
                                (["-export-all"], "1 2")):
            same(l.run("-n", 1, *words, "/bin/sh", "-c", show, env=env).out.strip(), expected, words)
        result = l.run("-np", 1, "localhost", "A=5", "B=6", "sh", "-c", show, name="mpirun_rsh")
        same(result.out, "5 6\n")

    def nested():
        result = shell("-n", 1, script=f"{l.mpiexec} -n 2 sh -c 'echo $PMI_RANK $PMI_SIZE'")
        same(result.lines(), ["0 2", "1 2"])

    def labels():
        result = shell("-n", 2, "-l", script="echo out; echo err >&2; printf tail")
        same(result.lines(), ["[0] out", "[0] tail", "[1] out", "[1] tail"])
        same(sorted(result.err.splitlines()), ["[0] err", "[1] err"])
        same(shell("-n", 2, "-prepend-pattern", "%r@%h: ", script="echo x").lines(), [f"{r}@{host}: x" for r in range(2)])

    def nothing_is_lost():
        script = "i=0; while [ $i -lt 20000 ]; do echo $PMI_RANK $i; i=$((i+1)); done"
        for words in ([], ["-l"]):
            lines = shell("-n", 3, *words, script=script).out.splitlines()
            plain = [line[4:] if words else line for line in lines]
            for rank in range(3):
                same([x for x in plain if x.startswith(f"{rank} ")], [f"{rank} {i}" for i in range(20000)], f"rank {rank}")
        long = shell("-n", 1, "-l", script="head -c 1000000 /dev/zero | tr '\\0' x; echo").out
        same(long.count("x"), 1000000)

    def files():
        result = shell("-n", 2, "-outfile-pattern", "out.%r.%h", "-errfile-pattern", "err",
                       script="echo $PMI_RANK; echo e$PMI_RANK >&2")
        same((result.out, result.err), ("", ""))
        same([(l.folder / f"out.{r}.{host}").read_text() for r in range(2)], ["0\n", "1\n"])
        same(sorted((l.folder / "err").read_text().splitlines()), ["e0", "e1"])
        shell("-n", 2, "-l", "-outfile-pattern", "labelled", script="echo x")
        same(sorted((l.folder / "labelled").read_text().splitlines()), ["[0] x", "[1] x"])
        contains(shell("-n", 1, "-outfile-pattern", "/nonexistent/x").err, "/nonexistent/x")

    def standard_input():
        result = shell("-n", 3, script="echo $PMI_RANK $(cat | wc -c)", input="hello")
        same(result.lines(), ["0 5", "1 0", "2 0"])

    def binding():
        show = "echo $PMI_RANK $(grep Cpus_allowed_list /proc/self/status | cut -f2)"
        everywhere = ",".join(map(str, allowed)) if len(allowed) < 3 else None
        if len(allowed) >= 2:
            first, second = allowed[0], allowed[1]
            same(shell("-n", 2, "-bind-to", f"user:{second},{first}", script=show).lines(), [f"0 {second}", f"1 {first}"])
            env = {"MVP_CPU_MAPPING": f"{second}:{first}"}
            same(shell("-n", 2, script=show, env=env).lines(), [f"0 {second}", f"1 {first}"])
            same(shell("-n", 2, f"MV2_CPU_MAPPING={second}", script=show).lines(), [f"0 {second}", f"1 {second}"])
        if everywhere:
            free = ("0 " + everywhere, "0 " + everywhere.replace(",", "-"))
            for words in (["-bind-to", "none"], ["MVP_ENABLE_AFFINITY=0"]):
                assert shell("-n", 1, *words, script=show).out.strip() in free
            assert shell("-n", len(allowed) + 1, script=show).lines()[0] in free  # more ranks than cores
        contains(shell("-n", 1, "MVP_CPU_MAPPING=99999").err, "99999")
        same(shell("-n", 1, "MVP_CPU_BINDING_POLICY=banana").code, 2)
        process = l.start("-n", 1, "sh", "-c", show, preexec_fn=lambda: os.sched_setaffinity(0, {allowed[-1]}))
        same(process.communicate()[0].strip(), f"0 {allowed[-1]}")  # only what we may use is used

    def binding_table():
        env = {"HWLOC_SYNTHETIC": "pack:2 group:4 [numa] l3:2 core:4 pu:2", "MVP_SHOW_CPU_BINDING": "1"}
        result = shell("-n", 16, "MVP_CPU_BINDING_POLICY=hybrid", "MVP_HYBRID_BINDING_POLICY=numa", "MVP_THREADS_PER_PROCESS=4",
                       env=env)
        same(result.code, 0)
        contains(result.err, "-CPU AFFINITY-", "hybrid numa", "sockets: 2")
        rows = {line.split()[0]: line.split()[1:4] for line in result.err.splitlines() if line[:1].isdigit()}
        same((rows["1"], rows["8"]), (["16-23", "1", "0"], ["8-15", "0", "0"]))
        same(shell("-n", 1, script="echo $MVP_SHOW_CPU_BINDING", env={"MVP_SHOW_CPU_BINDING": "1"}).out, "1\n")

    def show_and_tell():
        contains(l.run("-n", 2, "-show", "/bin/echo", "x").out, "rank 1", "/bin/echo x")
        contains(l.run("-version").out, "Starling")
        contains(l.run("-V").out, "Starling")
        contains(l.run("-info").out, "PMI-1", "PMI-2")
        for word in ("-h", "-help", "--help"):
            contains(l.run(word).out, "-genv NAME VALUE", "-bind-to")
        contains(shell("-n", 1, "-v").err, "rank 0 is process")
        ignored = ["-launcher", "ssh", "-iface", "eth0", "-rmk", "x", "-demux", "poll"]
        same(shell("-n", 1, *ignored, script="echo fine").out, "fine\n")

    def wrappers():
        """-xterm, -debug, -tv and -sg put a program in front. Ours of those names write down how they were called, then run the rest."""
        folder = l.folder / "front"
        folder.mkdir()
        for name, skip in (("xterm", 1), ("gdb", 1), ("totalview", 0)):
            (folder / name).write_text(f'#!/bin/sh\necho "{name} $*"\nshift {skip}\n' + ("" if name == "totalview" else 'exec "$@"\n'))
            (folder / name).chmod(0o755)
        env = {"PATH": f"{folder}:{os.environ['PATH']}"}
        true, shell_path = shutil.which("true"), shutil.which("sh")
        same(l.run("-n", 2, "-xterm", "true", "a b", env=env).lines(), [f"xterm -e {true} a b"] * 2)
        same(l.run("-np", 1, "-debug", "localhost", "sh", "-c", "echo $PMI_RANK", env=env, name="mpirun_rsh").lines(),
             ["0", f"gdb --args {shell_path} -c echo $PMI_RANK", f"xterm -e gdb --args {shell_path} -c echo $PMI_RANK"])
        contains(l.run("-n", 2, "-tv", "true", "-tv", env=env).out, "-a -n 2 true -tv")
        missing = l.run("-n", 2, "-xterm", true, env={"PATH": "/nonexistent"})
        same(missing.code, 127)
        contains(missing.err, "cannot find xterm")
        group = grp.getgrgid(os.getgid()).gr_name
        same(l.run("-n", 1, "-sg", group, "sh", "-c", 'echo "$(id -gn)" "$1"', "sh", "it's").lines(), [f"{group} it's"])

    def mistakes():
        for words in ([], ["-n"], ["-n", 0, "true"], ["-n", "x", "true"], ["-banana"], ["-n", 2], ["-sg", "true"],
                      ["-timeout", "x", "true"], ["-configfile", "/nonexistent"], ["-f", "/nonexistent", "true"]):
            result = l.run(*words)
            same(result.code, 2, words)
            same(len(result.err.splitlines()), 1, words)
        result = l.run("-n", 2, "no-such-program")
        same(result.code, 127)
        contains(result.err, "no-such-program")
        same(l.run("-n", 2, "/no/such/program").code, 127)
        same(l.run("-n", 1, "/etc/passwd").code, 126)

    return [(f"options: {f.__name__}", f) for f in (
        ranks, spellings, mpmd, config_file, hosts, directory, environment, nested, labels, nothing_is_lost, files,
        standard_input, binding, binding_table, show_and_tell, wrappers, mistakes)]
