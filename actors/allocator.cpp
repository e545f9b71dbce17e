// What the allocator is told before anything else runs. Objects are made where bytes arrive and freed where they are
// used, on another thread: glibc's allocator pays for that with locks and with memory that it keeps. With this, what
// the first lists took goes back to the system within seconds, without waiting for the next allocation.
extern "C" {
// jemalloc reads it once, by this name.
const char* malloc_conf = "background_thread:true,max_background_threads:1,dirty_decay_ms:2000,muzzy_decay_ms:0";
}
