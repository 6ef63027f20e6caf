# SPDX-License-Identifier: BSD-3-Clause
"""A rank that speaks PMI-1 or PMI-2 with the launcher, by hand, and checks every answer.

Usage: pmi_client.py 1|2|abort1|abort2|leave1|spawned
"""
import os
import socket
import sys
import time


class Pmi:
    def __init__(self, version):
        self.socket = socket.socket(fileno=int(os.environ["PMI_FD"]))
        self.version = 1
        self.rank = int(os.environ["PMI_RANK"])
        self.size = int(os.environ["PMI_SIZE"])
        answer = self.ask("init", pmi_version=version, pmi_subversion=0)
        assert answer["cmd"] == "response_to_init" and answer["rc"] == "0", answer
        assert answer["pmi_version"] == str(version), answer
        self.version = version

    def send(self, command, more=(), **pairs):
        if self.version == 1:
            words = [f"cmd={command}"] + [f"{key}={value}" for key, value in pairs.items()]
            self.socket.sendall((" ".join(words) + "\n").encode())
        else:
            pairs = [("cmd", command), *pairs.items(), *more]
            body = "".join(f"{key}={str(value).replace(';', ';;')};" for key, value in pairs)
            self.socket.sendall(f"{len(body):6d}{body}".encode())

    def receive(self):
        if self.version == 1:
            line = b""
            while not line.endswith(b"\n"):
                line += self.socket.recv(1)
            return dict(word.split("=", 1) for word in line.decode().split())
        length = int(self.exactly(6))
        body = self.exactly(length).replace(";;", "\0")
        return {key: value.replace("\0", ";") for key, value in (pair.split("=", 1) for pair in body.split(";") if pair)}

    def exactly(self, count):
        text = b""
        while len(text) < count:
            text += self.socket.recv(count - len(text))
        return text.decode()

    def ask(self, command, more=(), **pairs):
        self.send(command, more, **pairs)
        return self.receive()


def pmi1():
    pmi = Pmi(1)
    maxes = pmi.ask("get_maxes")
    assert int(maxes["keylen_max"]) >= 64 and int(maxes["vallen_max"]) >= 1024, maxes
    assert pmi.ask("get_appnum")["appnum"] == os.environ["PMI_APPNUM"]
    assert pmi.ask("get_universe_size")["size"] == str(pmi.size)
    name = pmi.ask("get_my_kvsname")["kvsname"]
    mapping = pmi.ask("get", kvsname=name, key="PMI_process_mapping")
    assert mapping["value"] == f"(vector,(0,1,{pmi.size}))", mapping
    value = "x" * 1000 + str(pmi.rank)
    assert pmi.ask("put", kvsname=name, key=f"k{pmi.rank}", value=value)["rc"] == "0"
    assert pmi.ask("barrier_in")["cmd"] == "barrier_out"
    for other in range(pmi.size):
        assert pmi.ask("get", kvsname=name, key=f"k{other}")["value"] == "x" * 1000 + str(other)
    assert pmi.ask("get", kvsname=name, key="nothing")["rc"] != "0"
    keys, index = set(), 0
    while (answer := pmi.ask("getbyidx", kvsname=name, idx=index))["rc"] == "0":
        keys.add(answer["key"])
        index = int(answer["nextidx"])
    assert keys >= {f"k{other}" for other in range(pmi.size)}, keys
    service = f"service{pmi.rank}"
    assert pmi.ask("lookup_name", service=service)["rc"] != "0"
    assert pmi.ask("publish_name", service=service, port="a-port")["rc"] == "0"
    assert pmi.ask("publish_name", service=service, port="a-port")["rc"] != "0"
    assert pmi.ask("lookup_name", service=service)["port"] == "a-port"
    assert pmi.ask("unpublish_name", service=service)["rc"] == "0"
    pmi.socket.sendall(b"mcmd=spawn\nnprocs=1\nexecname=/nonexistent\ntotspawns=1\nendcmd\n")
    assert pmi.receive()["rc"] != "0"
    pmi.socket.sendall(b"mcmd=spawn\nnprocs=1\nexecname=/bin/true\ntotspawns=1\nendcmd\n")
    assert pmi.receive()["rc"] == "0"
    assert pmi.ask("banana")["rc"] != "0"
    assert pmi.ask("finalize")["cmd"] == "finalize_ack"


def pmi2():
    pmi = Pmi(2)
    answer = pmi.ask("fullinit", pmijobid="", pmirank=pmi.rank, threaded="FALSE")
    assert answer["cmd"] == "fullinit-response" and answer["rc"] == "0", answer
    assert (answer["rank"], answer["size"]) == (str(pmi.rank), str(pmi.size)), answer
    job = pmi.ask("job-getid")["jobid"]
    assert pmi.ask("info-getjobattr", key="PMI_process_mapping")["value"] == f"(vector,(0,1,{pmi.size}))"
    assert pmi.ask("info-getjobattr", key="universeSize")["value"] == str(pmi.size)
    assert pmi.ask("info-getjobattr", key="nothing")["found"] == "FALSE"
    if pmi.rank == pmi.size - 1:
        time.sleep(0.05)  # the others are waiting for it by now
        assert pmi.ask("info-putnodeattr", key="node", value="a;b")["rc"] == "0"
    answer = pmi.ask("info-getnodeattr", key="node", wait="TRUE", thrid="7")
    assert (answer["found"], answer["value"], answer["thrid"]) == ("TRUE", "a;b", "7"), answer
    assert pmi.ask("kvs-put", key=f"k{pmi.rank}", value=f"v;{pmi.rank}")["rc"] == "0"
    assert pmi.ask("kvs-fence")["cmd"] == "kvs-fence-response"
    for other in range(pmi.size):
        answer = pmi.ask("kvs-get", jobid=job, srcid=-1, key=f"k{other}")
        assert (answer["found"], answer["value"]) == ("TRUE", f"v;{other}"), answer
    assert pmi.ask("kvs-get", jobid=job, srcid=-1, key="nothing")["found"] == "FALSE"
    name = f"service{pmi.rank}"
    assert pmi.ask("name-publish", name=name, port="p")["rc"] == "0"
    assert pmi.ask("name-lookup", name=name)["value"] == "p"
    assert pmi.ask("name-unpublish", name=name)["rc"] == "0"
    assert pmi.ask("name-lookup", name=name)["rc"] != "0"
    assert pmi.ask("spawn", ncmds=1)["rc"] != "0"
    answer = pmi.ask("spawn", thrid="5", ncmds=1, preputcount=0, subcmd="/nonexistent", maxprocs=1, argc=0, infokeycount=0)
    assert answer["rc"] != "0" and answer["thrid"] == "5" and "/nonexistent" in answer["errmsg"], answer
    programs = []
    for ranks in (1, 2):
        arguments = [("argv0", os.path.abspath(__file__)), ("argv1", "spawned"), ("argv2", "two; words")]
        info = [("infokeycount", 1), ("infokey0", "wdir"), ("infoval0", "/")]
        programs += [("subcmd", sys.executable), ("maxprocs", ranks), ("argc", 3), *arguments, *info]
    answer = pmi.ask("spawn", programs, thrid="6", ncmds=2, preputcount=1, ppkey0="greeting", ppval0="hello; you")
    assert (answer["rc"], answer["thrid"], answer["nerrs"]) == ("0", "6", "0") and answer["jobid"] != job, answer
    assert pmi.ask("finalize")["cmd"] == "finalize-response"


def spawned():
    pmi = Pmi(2)
    answer = pmi.ask("fullinit", pmirank=pmi.rank, threaded="FALSE")
    assert (answer["size"], answer["appnum"]) == ("3", str(min(pmi.rank, 1))), answer
    assert pmi.ask("kvs-get", srcid=-1, key="greeting")["value"] == "hello; you"
    assert sys.argv[2:] == ["two; words"] and os.getcwd() == "/", (sys.argv, os.getcwd())
    assert pmi.ask("finalize")["cmd"] == "finalize-response"


def abort(version):
    pmi = Pmi(version)
    if version == 2:
        pmi.ask("fullinit", pmirank=pmi.rank, threaded="FALSE")
    if pmi.rank == pmi.size - 1:
        pmi.send("abort", **({"exitcode": 9} if version == 1 else {"isworld": "TRUE", "msg": "no"}))
    time.sleep(600)


what = sys.argv[1]
if what == "1":
    pmi1()
elif what == "2":
    pmi2()
elif what == "spawned":
    spawned()
elif what == "name":
    client = Pmi(1)
    print(client.ask("get_my_kvsname")["kvsname"])
    client.ask("finalize")
elif what == "leave1":
    Pmi(1)  # and no finalize
else:
    abort(int(what[-1]))
