// SPDX-License-Identifier: BSD-3-Clause
// Point-to-point between processes: every mode, sizes around every change of protocol, layouts, wildcards, probes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "datatype/entry.gen.h"
#include "p2p/entry.gen.h"
#include "p2p/job_test.h"
#include "p2p/message.h"
#include "p2p/request.h"

namespace starling::p2p {
namespace {

using test::run_job;

constexpr Count kSizes[] = {0,    1,    3,     8,     39,    40,    41,     64,     1000,    1016,
                            1017, 4096, 16383, 16384, 16385, 65536, 131072, 131073, 1 << 20, 3'000'001};

Datatype& byte_type() { return *predefined_datatype(kCodeByte); }

std::vector<char> pattern(Count bytes, int seed) {
  std::vector<char> data(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>(i * 7 + i / 251 + static_cast<std::size_t>(seed));
  return data;
}

using SendFunction = void (*)(const void*, Count, Datatype&, int, int, Comm&);

// To the right, from the left, all sizes; `late`: the receive is posted when the message has been on its way for a while.
void pass_around(Comm& world, SendFunction send_function, bool late) {
  const int right = (world.rank + 1) % world.size, left = (world.rank + world.size - 1) % world.size;
  for (Count size : kSizes) {
    const auto out = pattern(size, world.rank);
    const auto want = pattern(size, left);
    std::vector<char> in(out.size() + 1, 'x');
    Status status;
    if (world.rank == 0) {
      send_function(out.data(), size, byte_type(), right, 7, world);
      recv(in.data(), size, byte_type(), left, 7, world, status);
    } else {
      if (late) usleep(200);
      recv(in.data(), size, byte_type(), left, 7, world, status);
      send_function(out.data(), size, byte_type(), right, 7, world);
    }
    ASSERT_TRUE(std::equal(want.begin(), want.end(), in.begin())) << size;
    EXPECT_EQ(in.back(), 'x');
    EXPECT_EQ(status.source, left);
    EXPECT_EQ(status.tag, 7);
    EXPECT_EQ(status.bytes, size);
  }
}

TEST(P2p, AllSizesInAllModes) {
  for (int n : {2, 4})
    run_job(n, [](Comm& world) {
      std::vector<char> buffer(8 << 20);
      buffer_attach(buffer.data(), static_cast<Count>(buffer.size()));
      for (SendFunction function : {&send, &ssend, &rsend, &bsend})
        for (bool late : {false, true}) pass_around(world, function, late);
      void* back;
      Count size;
      buffer_detach(back, size);
      EXPECT_EQ(back, buffer.data());
      EXPECT_EQ(size, 8 << 20);
    });
}

TEST(P2p, WithoutDirectCopies) {
  run_job(2, [](Comm& world) {
    world.worker->endpoint(static_cast<Peer>(1 - world.rank)).direct = false;
    pass_around(world, &send, false);
    pass_around(world, &ssend, true);
  });
}

TEST(P2p, NonContiguousLayouts) {
  run_job(2, [](Comm& world) {
    Datatype* every_other = nullptr;
    datatype::type_vector(1000, 3, 5, byte_type(), every_other, false);
    datatype::type_commit(*every_other);
    for (Count count : {1, 3, 100, 700}) {
      const Count packed = count * 3000;
      const Count extent = every_other->extent * count;
      const auto data = pattern(packed, 3);
      std::vector<char> spread(static_cast<std::size_t>(extent) + 16, 'x');
      Status status;
      // layout to bytes, bytes to layout, layout to layout
      for (int kind = 0; kind < 3; ++kind) {
        const bool from_layout = kind != 1, to_layout = kind != 0;
        if (world.rank == 0) {
          std::vector<char> bytes = data;
          if (from_layout) datatype::unpack(spread.data(), count, *every_other, 0, data.data(), packed);
          if (from_layout)
            send(spread.data(), count, *every_other, 1, kind, world);
          else
            send(bytes.data(), packed, byte_type(), 1, kind, world);
        } else {
          std::vector<char> bytes(data.size());
          std::fill(spread.begin(), spread.end(), 'x');
          if (to_layout) {
            recv(spread.data(), count, *every_other, 0, kind, world, status);
            datatype::pack(spread.data(), count, *every_other, 0, bytes.data(), packed);
            EXPECT_EQ(spread[3], 'x');
          } else {
            recv(bytes.data(), packed, byte_type(), 0, kind, world, status);
          }
          EXPECT_EQ(bytes, data) << kind << " " << count;
          EXPECT_EQ(status.bytes, packed);
        }
      }
    }
    datatype::type_free(every_other);
  });
}

TEST(P2p, ManyOutstandingBothWays) {
  run_job(4, [](Comm& world) {
    constexpr int kEach = 40;
    for (Count size : {Count{8}, Count{5000}, Count{16384}, Count{200'000}}) {
      std::vector<Request*> requests;
      std::vector<std::vector<char>> in, out;
      for (int peer = 0; peer < world.size; ++peer)
        for (int i = 0; i < kEach; ++i) {
          in.emplace_back(static_cast<std::size_t>(size));
          irecv(in.back().data(), size, byte_type(), peer, i, world, requests.emplace_back());
        }
      for (int peer = 0; peer < world.size; ++peer)
        for (int i = kEach - 1; i >= 0; --i) {
          out.push_back(pattern(size, world.rank * 100 + i));
          isend(out.back().data(), size, byte_type(), peer, i, world, requests.emplace_back());
        }
      for (Request* request : requests) {
        Status status;
        EXPECT_TRUE(wait(*request, status));
      }
      for (int peer = 0; peer < world.size; ++peer)
        for (int i = 0; i < kEach; ++i)
          EXPECT_EQ(in[static_cast<std::size_t>(peer * kEach + i)], pattern(size, peer * 100 + i));
    }
    EXPECT_EQ(live_requests(*world.worker), 0u);
  });
}

TEST(P2p, UnexpectedFloodKeepsOrder) {
  run_job(2, [](Comm& world) {
    constexpr int kMessages = 20000;
    Status status;
    if (world.rank == 0) {
      for (int i = 0; i < kMessages; ++i) send(&i, 4, byte_type(), 1, i % 3, world);
      int last = -1;
      send(&last, 4, byte_type(), 1, 9, world);
    } else {
      int value = 0;
      recv(&value, 4, byte_type(), 0, 9, world, status);  // everything else is unexpected now
      int next[3] = {0, 1, 2};
      for (int i = 0; i < kMessages; ++i) {
        recv(&value, 4, byte_type(), kAnySource, i % 2 ? i % 3 : kAnyTag, world, status);
        EXPECT_EQ(value, next[status.tag]);
        next[status.tag] += 3;
      }
    }
  });
}

TEST(P2p, ProbesAndMatchedReceives) {
  run_job(2, [](Comm& world) {
    Status status;
    for (Count size : {Count{0}, Count{100}, Count{100'000}}) {
      const auto data = pattern(size, 1);
      if (world.rank == 0) {
        for (int tag = 1; tag <= 3; ++tag) ssend(data.data(), size, byte_type(), 1, tag, world);
        continue;
      }
      std::vector<char> in(data.size());
      probe(0, kAnyTag, world, status);
      EXPECT_EQ(status.tag, 1);
      EXPECT_EQ(status.bytes, size);
      recv(in.data(), size, byte_type(), 0, 1, world, status);
      Message* message = nullptr;
      mprobe(kAnySource, 2, world, message, status);
      bool flag = true;
      iprobe(0, 2, world, flag, status);
      EXPECT_FALSE(flag);  // taken out
      mrecv(in.data(), size, byte_type(), message, status);
      EXPECT_EQ(message, nullptr);
      EXPECT_EQ(in, data);
      for (flag = false; !flag;) improbe(0, 3, world, flag, message, status);
      Request* request = nullptr;
      imrecv(in.data(), size, byte_type(), message, request);
      wait(*request, status);
      EXPECT_EQ(status.bytes, size);
    }
  });
}

TEST(P2p, TruncationIsReportedAndNothingIsOverwritten) {
  run_job(2, [](Comm& world) {
    for (Count size : {Count{50}, Count{2000}, Count{300'000}}) {
      if (world.rank == 0) {
        send(pattern(size, 1).data(), size, byte_type(), 1, 1, world);
        continue;
      }
      std::vector<char> in(static_cast<std::size_t>(size), 'x');
      Status status;
      try {
        recv(in.data(), size / 2, byte_type(), 0, 1, world, status);
        ADD_FAILURE() << "no error";
      } catch (const Error& error) {
        EXPECT_EQ(error.error_class, kErrTruncate);
      }
      EXPECT_EQ(in[static_cast<std::size_t>(size / 2)], 'x');
      EXPECT_EQ(in[static_cast<std::size_t>(size / 2 - 1)], pattern(size, 1)[static_cast<std::size_t>(size / 2 - 1)]);
    }
  });
}

TEST(P2p, PersistentCancelledAndReplaced) {
  run_job(2, [](Comm& world) {
    const int peer = 1 - world.rank;
    Status status;
    int out = 0, in = 0;
    Request *sending = nullptr, *receiving = nullptr;
    send_init(&out, 4, byte_type(), peer, 5, world, sending);
    recv_init(&in, 4, byte_type(), kAnySource, 5, world, receiving);
    for (int i = 0; i < 100; ++i) {
      out = i * 2 + world.rank;
      for (Request* request : {receiving, sending}) {
        request->complete = false;
        request->active = true;
        request->ops->start(*request);
      }
      EXPECT_FALSE(wait(*sending, status));
      EXPECT_FALSE(wait(*receiving, status));
      EXPECT_EQ(in, i * 2 + peer);
    }
    request_free(sending);
    request_free(receiving);

    Request* never = nullptr;
    irecv(&in, 4, byte_type(), peer, 99, world, never);
    cancel(*never);
    EXPECT_TRUE(wait(*never, status));
    EXPECT_TRUE(status.cancelled);

    auto data = pattern(100'000, world.rank);
    sendrecv_replace(data.data(), 100'000, byte_type(), peer, 6, peer, 6, world, status);
    EXPECT_EQ(data, pattern(100'000, peer));
    Request* both = nullptr;
    isendrecv_replace(data.data(), 100'000, byte_type(), peer, 6, peer, 6, world, both);
    EXPECT_TRUE(wait(*both, status));
    EXPECT_EQ(data, pattern(100'000, world.rank));
    EXPECT_EQ(live_requests(*world.worker), 0u);
  });
}

TEST(P2p, SleepersAreWoken) {
  run_job(2, [](Comm& world) {
    Status status;
    int token = 0;
    for (int i = 0; i < 10; ++i) {
      if (world.rank == 0) {
        usleep(20'000);  // longer than the time after which the other sleeps
        send(&i, 4, byte_type(), 1, 1, world);
        recv(&token, 4, byte_type(), 1, 1, world, status);
      } else {
        recv(&token, 4, byte_type(), 0, 1, world, status);
        EXPECT_EQ(token, i);
        send(&token, 4, byte_type(), 0, 1, world);
      }
    }
  });
}

TEST(P2p, BufferedModeReportsAFullBuffer) {
  run_job(2, [](Comm& world) {
    Status status;
    char token = 0;
    if (world.rank == 1) {
      recv(&token, 1, byte_type(), 0, 2, world, status);
      std::vector<char> in(100'000);
      recv(in.data(), 100'000, byte_type(), 0, 1, world, status);
      EXPECT_EQ(in, pattern(100'000, 4));
      return;
    }
    const auto data = pattern(100'000, 4);
    EXPECT_THROW(bsend(data.data(), 100'000, byte_type(), 1, 1, world), Error);
    std::vector<char> buffer(100'096);
    comm_attach_buffer(world, buffer.data(), static_cast<Count>(buffer.size()));
    bsend(data.data(), 100'000, byte_type(), 1, 1, world);
    EXPECT_THROW(bsend(data.data(), 100'000, byte_type(), 1, 1, world), Error);
    Request* flushed = nullptr;
    comm_iflush_buffer(world, flushed);
    bool freed;
    EXPECT_FALSE(p2p::test(*flushed, status, freed));
    send(&token, 1, byte_type(), 1, 2, world);
    EXPECT_TRUE(wait(*flushed, status));
    void* back;
    Count size;
    comm_detach_buffer(world, back, size);
    EXPECT_EQ(size, 100'096);
  });
}

// Two threads of one rank talk to two of another, each pair with its own tag.
TEST(P2p, ThreadsShareAWorker) {
  run_job(2, [](Comm& world) {
    Worker& worker = *world.worker;
    worker.multithreaded = true;
    auto talk = [&](int tag) {
      for (int i = 0; i < 500; ++i) {
        const Count size = i % 50 == 0 ? 100'000 : 64;
        auto data = pattern(size, i);
        std::vector<char> in(data.size());
        Status status;
        worker.lock();
        sendrecv(data.data(), size, byte_type(), 1 - world.rank, tag, in.data(), size, byte_type(), 1 - world.rank, tag, world,
                 status);
        worker.unlock();
        EXPECT_EQ(in, data);
      }
    };
    std::thread first(talk, 1), second(talk, 2), third(talk, 3);
    first.join();
    second.join();
    third.join();
    worker.lock();  // for drain
  });
}

}  // namespace
}  // namespace starling::p2p
