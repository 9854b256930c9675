/* A UCI chess engine that plays one game from memory: the cheapest opponent for fastchess.
 *
 * It plays both sides, and finds the next move by counting those it is sent. The game was played at
 * random; fastchess checks that each move is legal, and the last one is mate or stalemate.
 */
#include <stdio.h>
#include <string.h>

static const char GAME[] =
    "g1f3 b7b5 c2c3 d7d6 a2a4 g7g5 b1a3 g5g4 a4b5 c7c6 a1b1 c8a6 d2d4 g8h6 h1g1 f7f6 e1d2 e8d7 "
    "d2d3 h6g8 a3c4 f6f5 d1d2 g4f3 d2d1 h7h6 c4d2 a6c8 d3c4 d8e8 b5b6 e8h5 b1a1 d6d5 c4d3 d7d6 "
    "b2b3 a7b6 g2g3 b6b5 g3g4 h5g4 d3c2 d6e6 g1g4 a8a3 d2b1 h8h7 b1a3 f5g4 c1g5 g4g3 e2f3 e6f7 "
    "a1b1 g3h2 b1a1 h2h1n a3b1 c8g4 c2d3 b8a6 g5h6 e7e5 d3c2 f7g6 h6f8 g4f3 f8g7 h7h5 d1d3 g6g5 "
    "d3d2 g5g4 f1b5 h1g3 a1a3 h5h6 b5d3 h6f6 d4e5 f6f7 g7h6 f7h7 c2b2 h7h6 a3a1 h6h8 d2g5 g4h3 "
    "a1a6 h8h6 a6c6 h6f6 g5f5 g3f5 c6f6 g8f6 c3c4 f5g3 d3c2 g3f5 b2a2 f3g2 b1c3 f5h4 a2a3 h4f3 "
    "e5e6 f6h5 b3b4 d5d4 a3b2 f3g5 b2b1 h3g4 c2f5 g4f4 f5g6 g2d5 g6f7 g5e4 b1b2 e4g5 c4d5 h5g3 "
    "b2b1 f4f5 b1a1 f5f4 c3e2 f4e5 f7g6 g5h7 g6e8 e5d5 e8c6 d5c6 b4b5 c6d5 e2c3 d5d6 c3b1 d6e5 "
    "b1c3 e5e6 f2g3 e6f5 a1a2 f5g6 c3d5 h7f6 d5f6 g6g7 f6g8 g7g6 a2b2 g6f7 b2a3 d4d3 g8f6 f7g7 "
    "f6e4 g7f8 e4g5 f8e7 a3b4 e7d6 g5f3 d6d5 f3h4 d5e4 b4c4 e4e3 c4b3 e3e4 b3a3 e4e5 h4g2 e5d6 "
    "g2e3 d6e5 e3c2 e5e6 a3a2 e6d5 a2b2 d5d6 b2b3 d6d7 b5b6 d7d6 b3c3 d6c6 c3d4 c6b5 c2b4 b5a5 "
    "d4e3 d3d2 g3g4 d2d1n e3d2 a5b5 d2c1 b5a4 b6b7 d1c3 c1c2 c3e4 b4c6 a4a3 b7b8q e4g3 b8b3 ";

int main(void) {
    static char line[1 << 16];
    size_t played = 0; /* characters of the moves so far */
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "uci\n", 4)) puts("id name scripted\nid author arena\nuciok");
        if (!strncmp(line, "isready", 7)) puts("readyok");
        if (!strncmp(line, "position", 8)) {
            const char *moves = strstr(line, " moves ");
            played = moves ? strcspn(moves + 7, "\n") + 1 : 0;
        }
        if (!strncmp(line, "go", 2)) {
            const char *next = GAME + played;
            printf("bestmove %.*s\n", (int)strcspn(next, " "), next);
        }
        if (!strncmp(line, "quit", 4)) break;
        fflush(stdout);
    }
    return 0;
}
