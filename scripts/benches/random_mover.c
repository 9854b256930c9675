/* A UCI chess engine that plays random legal moves: the cheapest opponent for fastchess.
 *
 * Like any engine, it is sent all moves of the game before each of its own, and plays them again.
 * `perft N` counts the positions after N moves, which tests the move generator.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_MOVES = 256, LINE_BYTES = 1 << 16 };

typedef struct {
    char board[64]; /* a1 is 0, h8 is 63; upper case is white, '.' is empty */
    int white;      /* whether white is to move */
    int castling;   /* bits: white king side, white queen side, then the same for black */
    int en_passant; /* the square behind a pawn that moved two squares, or -1 */
} Position;

typedef struct {
    int from, to;
    char promotion; /* lower case, or 0 */
} Move;

static const char START[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
static const int KNIGHT[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
/* Straight directions first, then diagonal ones. */
static const int RAYS[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

static int on_board(int file, int rank) { return file >= 0 && file < 8 && rank >= 0 && rank < 8; }

static int is_own(char piece, int white) {
    return piece != '.' && (isupper((unsigned char)piece) != 0) == white;
}

static char piece_of(char kind, int white) {
    return white ? (char)toupper((unsigned char)kind) : kind;
}

/* Return whether a side attacks a square. */
static int attacks(const Position *p, int square, int white) {
    int file = square % 8, rank = square / 8, pawn_rank = rank + (white ? -1 : 1);
    for (int side = -1; side <= 1; side += 2)
        if (on_board(file + side, pawn_rank) &&
            p->board[pawn_rank * 8 + file + side] == piece_of('p', white))
            return 1;
    for (int i = 0; i < 8; i++) {
        int f = file + KNIGHT[i][0], r = rank + KNIGHT[i][1];
        if (on_board(f, r) && p->board[r * 8 + f] == piece_of('n', white)) return 1;
    }
    for (int i = 0; i < 8; i++) {
        char slider = i < 4 ? 'r' : 'b';
        for (int n = 1; n < 8; n++) {
            int f = file + n * RAYS[i][0], r = rank + n * RAYS[i][1];
            if (!on_board(f, r)) break;
            char found = p->board[r * 8 + f];
            if (found == '.') continue;
            if (found == piece_of('q', white) || found == piece_of(slider, white) ||
                (n == 1 && found == piece_of('k', white)))
                return 1;
            break;
        }
    }
    return 0;
}

static void apply(Position *p, Move move) {
    char piece = p->board[move.from], kind = (char)tolower((unsigned char)piece);
    int distance = move.to - move.from;
    if (kind == 'p' && move.to == p->en_passant) p->board[move.to + (p->white ? -8 : 8)] = '.';
    if (kind == 'k' && abs(distance) == 2) {
        int rook_from = distance > 0 ? move.to + 1 : move.to - 2;
        p->board[move.from + distance / 2] = p->board[rook_from];
        p->board[rook_from] = '.';
    }
    p->board[move.to] = move.promotion ? piece_of(move.promotion, p->white) : piece;
    p->board[move.from] = '.';
    p->en_passant = kind == 'p' && abs(distance) == 16 ? move.from + distance / 2 : -1;
    /* A move from or to these squares ends the right to castle with the rook or king there. */
    static const int SQUARES[6] = {7, 0, 63, 56, 4, 60}, LOST[6] = {1, 2, 4, 8, 3, 12};
    for (int i = 0; i < 6; i++)
        if (move.from == SQUARES[i] || move.to == SQUARES[i]) p->castling &= ~LOST[i];
    p->white = !p->white;
}

static int is_legal(const Position *p, Move move) {
    Position next = *p;
    apply(&next, move);
    const char *king = memchr(next.board, piece_of('k', p->white), 64);
    return king && !attacks(&next, (int)(king - next.board), next.white);
}

static int add(const Position *p, Move *moves, int count, int from, int to) {
    static const char PROMOTIONS[] = "qrbn";
    int is_promotion = tolower((unsigned char)p->board[from]) == 'p' && (to < 8 || to >= 56);
    /* All promotions are legal, or none is. */
    if (!is_legal(p, (Move){from, to, is_promotion ? 'q' : 0})) return count;
    for (int i = 0; i < (is_promotion ? 4 : 1); i++)
        moves[count++] = (Move){from, to, is_promotion ? PROMOTIONS[i] : 0};
    return count;
}

static int add_pawn_moves(const Position *p, Move *moves, int count, int from) {
    int file = from % 8, rank = from / 8, step = p->white ? 8 : -8;
    if (p->board[from + step] == '.') {
        count = add(p, moves, count, from, from + step);
        if (rank == (p->white ? 1 : 6) && p->board[from + 2 * step] == '.')
            count = add(p, moves, count, from, from + 2 * step);
    }
    for (int side = -1; side <= 1; side += 2) {
        int to = from + step + side;
        if (file + side >= 0 && file + side < 8 &&
            (is_own(p->board[to], !p->white) || to == p->en_passant))
            count = add(p, moves, count, from, to);
    }
    return count;
}

static int add_castling(const Position *p, Move *moves, int count, int from) {
    int rights = p->white ? p->castling : p->castling >> 2;
    if (!(rights & 3) || attacks(p, from, !p->white)) return count;
    if ((rights & 1) && p->board[from + 1] == '.' && p->board[from + 2] == '.' &&
        !attacks(p, from + 1, !p->white))
        count = add(p, moves, count, from, from + 2);
    if ((rights & 2) && p->board[from - 1] == '.' && p->board[from - 2] == '.' &&
        p->board[from - 3] == '.' && !attacks(p, from - 1, !p->white))
        count = add(p, moves, count, from, from - 2);
    return count;
}

static int add_piece_moves(const Position *p, Move *moves, int count, int from) {
    char kind = (char)tolower((unsigned char)p->board[from]);
    const int(*steps)[2] = kind == 'n' ? KNIGHT : RAYS;
    int first = kind == 'b' ? 4 : 0, last = kind == 'r' ? 4 : 8;
    int reach = kind == 'n' || kind == 'k' ? 1 : 7;
    for (int i = first; i < last; i++)
        for (int n = 1; n <= reach; n++) {
            int f = from % 8 + n * steps[i][0], r = from / 8 + n * steps[i][1];
            if (!on_board(f, r) || is_own(p->board[r * 8 + f], p->white)) break;
            count = add(p, moves, count, from, r * 8 + f);
            if (p->board[r * 8 + f] != '.') break;
        }
    return kind == 'k' ? add_castling(p, moves, count, from) : count;
}

static int legal_moves(const Position *p, Move *moves) {
    int count = 0;
    for (int from = 0; from < 64; from++) {
        if (!is_own(p->board[from], p->white)) continue;
        int is_pawn = tolower((unsigned char)p->board[from]) == 'p';
        count = (is_pawn ? add_pawn_moves : add_piece_moves)(p, moves, count, from);
    }
    return count;
}

static int square_in(const char *text) { return text[0] - 'a' + 8 * (text[1] - '1'); }

static void read_fen(Position *p, const char *fen) {
    memset(p->board, '.', 64);
    int file = 0, rank = 7;
    for (; *fen && *fen != ' '; fen++) {
        if (*fen == '/') file = 0, rank--;
        else if (isdigit((unsigned char)*fen)) file += *fen - '0';
        else if (on_board(file, rank)) p->board[rank * 8 + file++] = *fen;
    }
    char side = 'w', castling[8] = "-", en_passant[4] = "-";
    sscanf(fen, " %c %7s %3s", &side, castling, en_passant);
    p->white = side == 'w';
    p->castling = 0;
    for (int i = 0; i < 4; i++)
        if (strchr(castling, "KQkq"[i])) p->castling |= 1 << i;
    p->en_passant = en_passant[0] == '-' ? -1 : square_in(en_passant);
}

/* Read `startpos moves e2e4 ...` or `fen FEN moves ...`. */
static void read_position(Position *p, char *text) {
    char *moves = strstr(text, "moves");
    read_fen(p, strncmp(text, "fen ", 4) == 0 ? text + 4 : START);
    if (!moves) return;
    strtok(moves, " \n");
    for (char *word = strtok(NULL, " \n"); word; word = strtok(NULL, " \n"))
        apply(p, (Move){square_in(word), square_in(word + 2), word[4]});
}

static void play_random_move(const Position *p, uint64_t *random) {
    Move moves[MAX_MOVES];
    int count = legal_moves(p, moves);
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    if (count == 0) {
        puts("bestmove 0000");
        return;
    }
    Move move = moves[(*random >> 33) % (uint64_t)count];
    printf("info depth 1 score cp 0\nbestmove %c%c%c%c", 'a' + move.from % 8, '1' + move.from / 8,
           'a' + move.to % 8, '1' + move.to / 8);
    if (move.promotion) putchar(move.promotion);
    putchar('\n');
}

static long perft(const Position *p, int depth) {
    Move moves[MAX_MOVES];
    int count = legal_moves(p, moves);
    if (depth == 1) return count;
    long total = 0;
    for (int i = 0; i < count; i++) {
        Position next = *p;
        apply(&next, moves[i]);
        total += perft(&next, depth - 1);
    }
    return total;
}

int main(void) {
    static char line[LINE_BYTES];
    uint64_t random = (uint64_t)time(NULL) * 1000003u ^ (uint64_t)getpid();
    Position position;
    read_fen(&position, START);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "uci\n", 4)) puts("id name random mover\nid author arena\nuciok");
        else if (!strncmp(line, "isready", 7)) puts("readyok");
        else if (!strncmp(line, "position ", 9)) read_position(&position, line + 9);
        else if (!strncmp(line, "go", 2)) play_random_move(&position, &random);
        else if (!strncmp(line, "perft ", 6)) printf("%ld\n", perft(&position, atoi(line + 6)));
        else if (!strncmp(line, "quit", 4)) break;
        fflush(stdout);
    }
    return 0;
}
