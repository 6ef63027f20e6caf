// SPDX-License-Identifier: BSD-3-Clause
// Task: a coroutine that runs (a part of) a collective operation (DESIGN D4). It starts when it is awaited by another Task, or
// when start() or run() is called on the outermost one, and goes on from where it waits when its messages have arrived.
//
// Every function that returns a Task has as its first parameter something with an `arena()` (a Ctx), from which its frame is
// taken, and only parameters that are trivially copyable: GCC 12 miscompiles others. For the same reason a Task itself is a
// plain handle without a destructor, so that it may be a temporary in a co_await expression. Hence each Task must be run
// exactly once: awaited, run, or started and collected; one that is not keeps its frame for ever.
//
// Errors: what a coroutine throws comes out of the co_await of its caller, of the outermost one out of run() or collect().
// Thread-safety: none (worker lock).
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <utility>

#include "coll/arena.h"

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 takes the operator new of a frame, which sees the parameters of the coroutine, for a placement new without a delete of
// its own. It says so at the end of each coroutine, hence for the rest of the file.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

namespace starling::coll {

// Told when the outermost Task has ended; may collect it, and may end the life of everything the Task lived in.
struct TaskOwner {
  void (*ended)(TaskOwner& self);
};

class [[nodiscard]] Task {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  struct promise_type {
    std::coroutine_handle<> caller;  // the Task that awaits this one
    TaskOwner* owner = nullptr;      // of the outermost Task
    std::exception_ptr error;
    std::exception_ptr* outlet = nullptr;  // of a Task that runs in one go, and leaves nothing behind

    // The frame lies behind a pointer to its arena.
    template <class C, class... Rest>
    static void* operator new(std::size_t bytes, const C& c, const Rest&...) {
      Arena& arena = c.arena();
      auto* head = static_cast<Head*>(arena.take(sizeof(Head) + bytes));
      head->arena = &arena;
      return head + 1;
    }
    static void operator delete(void* frame, std::size_t bytes) {
      Head* head = static_cast<Head*>(frame) - 1;
      head->arena->give(head, sizeof(Head) + bytes);
    }

    Task get_return_object() noexcept { return Task(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept { return Final{outlet != nullptr}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { (outlet ? *outlet : error) = std::current_exception(); }
  };

  Task() = default;

  // Runs the outermost Task of a Run that waits inside, from its start to its end. Throws what it threw.
  void run() {
    std::exception_ptr error;
    handle_.promise().outlet = &error;
    std::exchange(handle_, {}).resume();
    if (error) [[unlikely]]
      std::rethrow_exception(error);
  }

  // Runs the outermost Task up to its first wait, or to its end. `owner` (may be nullptr) is told of the end, from here or from
  // the progress pass in which it happens.
  void start(TaskOwner* owner) const { prepare(owner).resume(); }
  // The same for who resumes it later.
  std::coroutine_handle<> prepare(TaskOwner* owner) const {
    handle_.promise().owner = owner;
    return handle_;
  }
  bool ended() const { return handle_.done(); }
  // Frees the ended outermost Task, and throws what it threw.
  void collect() {
    Handle handle = std::exchange(handle_, {});
    if (std::exception_ptr error = take(handle)) std::rethrow_exception(error);
  }

  struct Join {
    Handle callee;
    bool await_ready() const noexcept { return false; }
    Handle await_suspend(std::coroutine_handle<> caller) const noexcept {
      callee.promise().caller = caller;
      return callee;
    }
    void await_resume() const {
      if (std::exception_ptr error = take(callee)) std::rethrow_exception(error);
    }
  };
  Join operator co_await() const { return Join{handle_}; }

 private:
  struct alignas(16) Head {
    Arena* arena;
  };
  struct Final {
    bool over;  // nobody wants the frame
    bool await_ready() const noexcept { return over; }
    std::coroutine_handle<> await_suspend(Handle ended) const noexcept {
      promise_type& promise = ended.promise();
      if (promise.caller) return promise.caller;
      if (promise.owner) promise.owner->ended(*promise.owner);
      return std::noop_coroutine();
    }
    void await_resume() const noexcept {}
  };

  explicit Task(Handle handle) : handle_(handle) {}
  // Ends the life of an ended coroutine; returns what it threw.
  static std::exception_ptr take(Handle handle) {
    std::exception_ptr error = std::move(handle.promise().error);
    handle.destroy();
    return error;
  }

  Handle handle_;
};

}  // namespace starling::coll
