/// A program that knows nothing but LMDB, to be run under the shim by its tests: commits `count` entries of `bytes`
/// each, one by one, into FOLDER/journal.mdb and says of each what came of it.
///   storm_disk_writer FOLDER count bytes

#include <cstdio>
#include <cstdlib>
#include <lmdb.h>
#include <string>

namespace {

constexpr std::size_t map_bytes = 64 << 20;

MDB_env* open_file(const std::string& path) {
  MDB_env* made = nullptr;
  if (mdb_env_create(&made) != 0 || mdb_env_set_mapsize(made, map_bytes) != 0)
    return nullptr;
  const int wrong = mdb_env_open(made, path.c_str(), MDB_NOSUBDIR, 0600);
  if (wrong == 0)
    return made;
  std::printf("open %d\n", wrong);
  mdb_env_close(made);
  return nullptr;
}

int commit(MDB_env* into, unsigned key, std::string& content) {
  MDB_txn* step = nullptr;
  MDB_dbi table = 0;
  if (const int wrong = mdb_txn_begin(into, nullptr, 0, &step); wrong != 0)
    return wrong;
  MDB_val name{sizeof(key), &key};
  MDB_val value{content.size(), content.data()};
  int wrong = mdb_dbi_open(step, nullptr, MDB_INTEGERKEY, &table);
  if (wrong == 0)
    wrong = mdb_put(step, table, &name, &value, 0);
  if (wrong == 0)
    return mdb_txn_commit(step);
  mdb_txn_abort(step);
  return wrong;
}

} // namespace

int main(int count, char** arguments) {
  if (count != 4)
    return 2;
  std::string content(static_cast<std::size_t>(std::atoi(arguments[3])), 'x');
  auto* file = open_file(std::string{arguments[1]} + "/journal.mdb");
  if (!file)
    return 3;
  for (unsigned key = 1; key <= static_cast<unsigned>(std::atoi(arguments[2])); ++key) {
    std::printf("commit %d\n", commit(file, key, content));
    std::fflush(stdout);
  }
  mdb_env_close(file);
  return 0;
}
