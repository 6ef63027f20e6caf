/* SPDX-License-Identifier: BSD-3-Clause */
/* TCP through the loopback interface: 8 bytes to and fro, sleeping or polling, and a stream. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "limits.h"

enum { kRounds = 2000, kBytes = 8, kChunk = 1 << 20, kStream = 256 << 20 };

static void check(int good, const char* what) {
  if (good) return;
  perror(what);
  exit(1);
}

static void receive_all(int fd, char* buffer, size_t size, int flags) {
  for (size_t got = 0; got < size;) {
    ssize_t count = recv(fd, buffer + got, size - got, flags);
    if (count > 0) got += (size_t)count;
    if (count == 0) exit(1); /* the partner is gone */
  }
}

static void send_all(int fd, const char* buffer, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t count = send(fd, buffer + done, size - done, MSG_NOSIGNAL);
    check(count > 0, "limits: send");
    done += (size_t)count;
  }
}

static const int kFlags[] = {0, MSG_DONTWAIT};

static void connected(void* argument) {
  int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  char bytes[kBytes];
  check(connect(fd, argument, sizeof(struct sockaddr_in)) == 0, "limits: connect");
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  for (int way = 0; way < 2; ++way)
    for (int i = 0; i < kRounds; ++i) {
      receive_all(fd, bytes, kBytes, kFlags[way]);
      send_all(fd, bytes, kBytes);
    }
  char* chunk = private_memory(kChunk);
  for (int done = 0; done < kStream; done += kChunk) receive_all(fd, chunk, kChunk, 0);
  send_all(fd, bytes, 1);
}

void measure_tcp(void) {
  static const char* const names[] = {"TCP loopback, sleeping, one way", "TCP loopback, polling, one way"};
  int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  check(bind(listener, (struct sockaddr*)&address, sizeof address) == 0, "limits: bind");
  check(listen(listener, 1) == 0, "limits: listen");
  check(getsockname(listener, (struct sockaddr*)&address, &length) == 0, "limits: getsockname");
  pid_t process = partner(second_cpu, connected, &address);
  int fd = accept(listener, NULL, NULL);
  check(fd >= 0, "limits: accept");
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  char bytes[kBytes] = {0};
  for (int way = 0; way < 2; ++way) {
    double start = seconds();
    for (int i = 0; i < kRounds; ++i) {
      send_all(fd, bytes, kBytes);
      receive_all(fd, bytes, kBytes, kFlags[way]);
    }
    report(names[way], kBytes, (seconds() - start) / kRounds / 2 * 1e6, "us");
  }
  char* chunk = private_memory(kChunk);
  double start = seconds();
  for (int done = 0; done < kStream; done += kChunk) send_all(fd, chunk, kChunk);
  receive_all(fd, bytes, 1, 0);
  report("TCP loopback stream", kChunk, kStream / (seconds() - start) / 1e9, "GB/s");
  join(process);
  release(chunk, kChunk);
  close(fd);
  close(listener);
}
