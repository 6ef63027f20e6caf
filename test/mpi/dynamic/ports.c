// SPDX-License-Identifier: BSD-3-Clause
// Ports, names and MPI_Comm_join between parts of one job, and the errors of all of them.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../check.h"

// Messages in both directions and a collective: long ones, too, which the receiver reads itself.
static void use(MPI_Comm inter, int remote) {
  enum { kLong = 300000 };
  int rank, size, is_inter = 0, all = 0, n = 0;
  unsigned char *in = check_alloc(kLong), *out = check_alloc(kLong);
  CHECK_OK(MPI_Comm_test_inter(inter, &is_inter));
  CHECK_EQ(is_inter, 1);
  CHECK_OK(MPI_Comm_rank(inter, &rank));
  CHECK_OK(MPI_Comm_size(inter, &size));
  CHECK_OK(MPI_Comm_remote_size(inter, &n));
  CHECK_EQ(n, remote);
  if (rank == 0) {
    MPI_Status status;
    check_fill(out, kLong, 1);
    for (int bytes = 0; bytes <= kLong; bytes = bytes ? bytes * 7 : 1) {
      memset(in, 0, kLong);
      CHECK_OK(MPI_Sendrecv(out, bytes, MPI_BYTE, 0, 5, in, kLong, MPI_BYTE, 0, 5, inter, &status));
      CHECK_OK(MPI_Get_count(&status, MPI_BYTE, &n));
      CHECK_EQ(n, bytes);
      CHECK_PATTERN(in, bytes, 1);
    }
  }
  rank++;
  CHECK_OK(MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_SUM, inter));  // of the other side
  CHECK_EQ(all, remote * (remote + 1) / 2);
  CHECK_OK(MPI_Barrier(inter));
  free(in);
  free(out);
}

static void parts(MPI_Comm* part, int* low) {
  *low = check_rank < (check_size + 1) / 2;
  CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, *low, check_rank, part));
}

static void accept_connect(void) {
  MPI_Comm part, inter, both, copy;
  char port[MPI_MAX_PORT_NAME] = "";
  int low, size, result, upper = (check_size + 1) / 2;
  parts(&part, &low);
  CHECK_OK(MPI_Comm_size(part, &size));
  if (check_rank == 0) {
    CHECK_OK(MPI_Open_port(MPI_INFO_NULL, port));
    CHECK_OK(MPI_Send(port, sizeof port, MPI_CHAR, upper, 1, MPI_COMM_WORLD));
  }
  if (check_rank == upper) CHECK_OK(MPI_Recv(port, sizeof port, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  for (int round = 0; round < 20; round++) {  // one port serves many
    if (low)
      CHECK_OK(MPI_Comm_accept(check_rank == 0 ? port : NULL, MPI_INFO_NULL, 0, part, &inter));
    else
      CHECK_OK(MPI_Comm_connect(check_rank == upper ? port : NULL, MPI_INFO_NULL, 0, part, &inter));
    if (round == 0) use(inter, check_size - size);
    if (round == 1) {
      CHECK_OK(MPI_Comm_dup(inter, &copy));
      CHECK_OK(MPI_Intercomm_merge(copy, !low, &both));
      CHECK_OK(MPI_Comm_compare(both, MPI_COMM_WORLD, &result));
      CHECK_EQ(result, MPI_CONGRUENT);
      CHECK_OK(MPI_Comm_disconnect(&copy));
      CHECK_OK(MPI_Comm_disconnect(&both));
    }
    CHECK_OK(MPI_Barrier(inter));
    CHECK_OK(MPI_Comm_disconnect(&inter));
    CHECK(inter == MPI_COMM_NULL);
  }
  if (check_rank == 0) CHECK_OK(MPI_Close_port(port));
  CHECK_OK(MPI_Comm_free(&part));
}

static void names(void) {
  char service[64], port[MPI_MAX_PORT_NAME] = "", found[MPI_MAX_PORT_NAME] = "";
  snprintf(service, sizeof service, "a service of rank %d (%ld)", check_rank, (long)getpid());
  CHECK_CLASS(MPI_Lookup_name(service, MPI_INFO_NULL, found), MPI_ERR_NAME);
  CHECK_OK(MPI_Open_port(MPI_INFO_NULL, port));
  CHECK_OK(MPI_Publish_name(service, MPI_INFO_NULL, port));
  CHECK_CLASS(MPI_Publish_name(service, MPI_INFO_NULL, port), MPI_ERR_SERVICE);
  CHECK_OK(MPI_Lookup_name(service, MPI_INFO_NULL, found));
  CHECK_STR(found, port);
  CHECK_OK(MPI_Unpublish_name(service, MPI_INFO_NULL, port));
  CHECK_CLASS(MPI_Unpublish_name(service, MPI_INFO_NULL, port), MPI_ERR_SERVICE);
  CHECK_CLASS(MPI_Lookup_name(service, MPI_INFO_NULL, found), MPI_ERR_NAME);
  CHECK_OK(MPI_Close_port(port));
}

static void errors(void) {
  MPI_Comm inter = MPI_COMM_NULL;
  char port[MPI_MAX_PORT_NAME] = "";
  CHECK_CLASS(MPI_Comm_connect("no port at all", MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter), MPI_ERR_PORT);
  CHECK_CLASS(MPI_Comm_accept("no port at all", MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter), MPI_ERR_PORT);
  CHECK_CLASS(MPI_Close_port("no port at all"), MPI_ERR_PORT);
  CHECK_OK(MPI_Open_port(MPI_INFO_NULL, port));
  // Nobody accepts.
  MPI_Info info;
  CHECK_OK(MPI_Info_create(&info));
  CHECK_OK(MPI_Info_set(info, "timeout", "1"));
  CHECK_CLASS(MPI_Comm_connect(port, info, 0, MPI_COMM_SELF, &inter), MPI_ERR_PORT);
  CHECK_OK(MPI_Info_free(&info));
  CHECK_OK(MPI_Close_port(port));
  CHECK_CLASS(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter), MPI_ERR_PORT);
  // All learn that the root has failed.
  CHECK_CLASS(MPI_Comm_connect(port, MPI_INFO_NULL, check_size - 1, MPI_COMM_WORLD, &inter), MPI_ERR_PORT);
  CHECK_CLASS(MPI_Comm_connect(port, MPI_INFO_NULL, check_size, MPI_COMM_WORLD, &inter), MPI_ERR_ROOT);
}

static void join(void) {
  int fd = -1, yes = 1;
  MPI_Comm inter;
  struct sockaddr_in address;
  socklen_t length = sizeof address;
  if (check_rank == 0) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0);
    CHECK(bind(listener, (struct sockaddr*)&address, sizeof address) == 0 && listen(listener, 1) == 0);
    CHECK(getsockname(listener, (struct sockaddr*)&address, &length) == 0);
    CHECK_OK(MPI_Send(&address, sizeof address, MPI_BYTE, 1, 2, MPI_COMM_WORLD));
    fd = accept(listener, NULL, NULL);
    close(listener);
  } else if (check_rank == 1) {
    CHECK_OK(MPI_Recv(&address, sizeof address, MPI_BYTE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(connect(fd, (struct sockaddr*)&address, sizeof address) == 0);
  }
  if (fd < 0) return;
  CHECK_OK(MPI_Comm_join(fd, &inter));
  if (CHECK(inter != MPI_COMM_NULL)) {
    use(inter, 1);
    CHECK_OK(MPI_Comm_disconnect(&inter));
  }
  // The socket is the program's again.
  char byte = (char)check_rank;
  CHECK(write(fd, &byte, 1) == 1 && read(fd, &byte, 1) == 1);
  CHECK_EQ(byte, 1 - check_rank);
  close(fd);
}

static const CheckCase cases[] = {
    {"accept_connect", accept_connect, 2},
    {"names", names, 0},
    {"errors", errors, 0},
    {"join", join, 2},
};

CHECK_MAIN(cases)
