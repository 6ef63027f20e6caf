// SPDX-License-Identifier: BSD-3-Clause
// How the codecs get from a user's handle to the object: one specialisation of Objects for each type of object. Everything here
// is thread-safe and accepts any bit pattern that a program may pass by mistake.
#pragma once

#include <cstdint>

#include "base/constants.gen.h"
#include "datatype/datatype.h"
#include "datatype/op.h"
#include "io/file.h"
#include "object/comm.h"
#include "object/errhandler.h"
#include "object/info.h"
#include "object/session.h"
#include "p2p/message.h"
#include "p2p/request.h"
#include "rma/win.h"

namespace starling {

namespace abi {

// kNull: Object::code of the null handle. kError: class of an invalid handle. kMpichKind: bits 26-29 of a handle in the MPICH
// ABI. find: the live object at an address, at: in a slot of its pool, predefined: by its code; nullptr if there is none.
template <class T>
struct Objects;

template <>
struct Objects<Comm> {
  static constexpr unsigned kNull = kCodeCommNull, kMpichKind = 1;
  static constexpr int kError = kErrComm;
  static constexpr const char* kName = "communicator";
  static Comm* find(const void* handle) { return comm_pool().find(handle); }
  static Comm* at(std::uint32_t index) { return comm_pool().at(index); }
  static Comm* predefined(unsigned code) {
    return code == kCodeCommWorld ? comm_world() : code == kCodeCommSelf ? comm_self() : nullptr;
  }
};

template <>
struct Objects<Group> {
  static constexpr unsigned kNull = kCodeGroupNull, kMpichKind = 2;
  static constexpr int kError = kErrGroup;
  static constexpr const char* kName = "group";
  static Group* find(const void* handle) { return group_pool().find(handle); }
  static Group* at(std::uint32_t index) { return group_pool().at(index); }
  static Group* predefined(unsigned code) { return code == kCodeGroupEmpty ? group_empty() : nullptr; }
};

template <>
struct Objects<Datatype> {
  static constexpr unsigned kNull = kCodeDatatypeNull, kMpichKind = 3;
  static constexpr int kError = kErrType;
  static constexpr const char* kName = "datatype";
  static Datatype* find(const void* handle) { return datatype_pool().find(handle); }
  static Datatype* at(std::uint32_t index) { return datatype_pool().at(index); }
  static Datatype* predefined(unsigned code) { return predefined_datatype(code); }
};

template <>
struct Objects<Op> {
  static constexpr unsigned kNull = kCodeOpNull, kMpichKind = 6;
  static constexpr int kError = kErrOp;
  static constexpr const char* kName = "operation";
  static Op* find(const void* handle) { return op_pool().find(handle); }
  static Op* at(std::uint32_t index) { return op_pool().at(index); }
  static Op* predefined(unsigned code) { return predefined_op(code); }
};

template <>
struct Objects<Errhandler> {
  static constexpr unsigned kNull = kCodeErrhandlerNull, kMpichKind = 5;
  static constexpr int kError = kErrErrhandler;
  static constexpr const char* kName = "error handler";
  static Errhandler* find(const void* handle) { return errhandler_pool().find(handle); }
  static Errhandler* at(std::uint32_t index) { return errhandler_pool().at(index); }
  static Errhandler* predefined(unsigned code) { return predefined_errhandler(code); }
};

template <>
struct Objects<Info> {
  static constexpr unsigned kNull = kCodeInfoNull, kMpichKind = 7;
  static constexpr int kError = kErrInfo;
  static constexpr const char* kName = "info";
  static Info* find(const void* handle) { return info_pool().find(handle); }
  static Info* at(std::uint32_t index) { return info_pool().at(index); }
  static Info* predefined(unsigned code) { return code == kCodeInfoEnv ? info_env() : nullptr; }
};

template <>
struct Objects<Request> {
  static constexpr unsigned kNull = kCodeRequestNull, kMpichKind = 11;
  static constexpr int kError = kErrRequest;
  static constexpr const char* kName = "request";
  static Request* find(const void* handle) { return p2p::find_request(handle); }
  static Request* at(std::uint32_t index) { return p2p::request_at(index); }
  static Request* predefined(unsigned) { return nullptr; }
};

template <>
struct Objects<Message> {
  static constexpr unsigned kNull = kCodeMessageNull, kMpichKind = 12;
  static constexpr int kError = kErrRequest;
  static constexpr const char* kName = "message";
  static Message* find(const void* handle) { return p2p::find_message(handle); }
  static Message* at(std::uint32_t index) { return p2p::message_at(index); }
  static Message* predefined(unsigned code) { return code == kCodeMessageNoProc ? p2p::message_no_proc() : nullptr; }
};

template <>
struct Objects<Session> {
  static constexpr unsigned kNull = kCodeSessionNull, kMpichKind = 14;
  static constexpr int kError = kErrSession;
  static constexpr const char* kName = "session";
  static Session* find(const void* handle) { return find_session(handle); }
  static Session* at(std::uint32_t index) { return session_at(index); }
  static Session* predefined(unsigned) { return nullptr; }
};

template <>
struct Objects<Win> {
  static constexpr unsigned kNull = kCodeWinNull, kMpichKind = 8;
  static constexpr int kError = kErrWin;
  static constexpr const char* kName = "window";
  static Win* find(const void* handle) { return win_pool().find(handle); }
  static Win* at(std::uint32_t index) { return win_pool().at(index); }
  static Win* predefined(unsigned) { return nullptr; }
};

template <>
struct Objects<File> {
  static constexpr unsigned kNull = kCodeFileNull, kMpichKind = 4;
  static constexpr int kError = kErrFile;
  static constexpr const char* kName = "file";
  static File* find(const void* handle) { return file_pool().find(handle); }
  static File* at(std::uint32_t index) { return file_pool().at(index); }
  static File* predefined(unsigned) { return nullptr; }
};

}  // namespace abi
}  // namespace starling
