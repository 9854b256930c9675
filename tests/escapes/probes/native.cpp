// What a bot in machine code can do with lines of the processors' caches.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>
#include <x86intrin.h>

namespace {
constexpr std::size_t page = 4096, lines_in_page = 64, line = 64;
constexpr std::size_t own_pages = 16 * 64;

// Not all zero, so that it is part of the file: pages of the program that all its processes share.
alignas(4096) const volatile char own[own_pages * page] = {1};

// One line of each page, in no order that a processor foresees.
const volatile char *line_of(const volatile char *pages, std::size_t count, std::size_t number) {
    const std::size_t at = number * 29 % count;
    return pages + at * page + at * 13 % lines_in_page * line;
}

std::uint64_t time_of(const volatile char *place) {
    unsigned processor;
    _mm_mfence();
    _mm_lfence();
    const std::uint64_t began = __rdtsc();
    _mm_lfence();
    (void)*place;
    _mm_lfence();
    return __rdtscp(&processor) - began;
}

void flush(const volatile char *place) { _mm_clflush(const_cast<const char *>(place)); }
} // namespace

extern "C" {
const volatile char *own_program() { return own; }

// Bring lines into the caches, or out of them.
void leave(const volatile char *pages, std::size_t count, int present) {
    for (int round = 0; round < 8; round++)
        for (std::size_t number = 0; number < count; number++) {
            const volatile char *place = line_of(pages, count, number);
            (void)*place;
            if (!present) flush(place);
        }
    _mm_mfence();
}

// Return the median time of a line, in cycles, without reading any of them before.
std::uint64_t look(const volatile char *pages, std::size_t count) {
    // Another line of each page, so that its address is known.
    for (std::size_t number = 0; number < count; number++) {
        const auto place = reinterpret_cast<std::uintptr_t>(line_of(pages, count, number));
        (void)*reinterpret_cast<const volatile char *>(place ^ page / 2);
    }
    std::vector<std::uint64_t> times;
    for (std::size_t number = 0; number < count; number++)
        times.push_back(time_of(line_of(pages, count, number)));
    std::nth_element(times.begin(), times.begin() + count / 2, times.end());
    return times[count / 2];
}
}
