// A library that says when it is loaded whether that is as root.
#include <cstdio>
#include <unistd.h>

__attribute__((constructor)) static void report() {
    std::printf("{\"escaped\": %s, \"detail\": \"the library was loaded\"}\n", geteuid() ? "false" : "true");
    std::fflush(stdout);
}
