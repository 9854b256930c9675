/* Bytes in the wire format of protocol buffers, and what the other files share. */

#ifndef ARENA_WIRE_H
#define ARENA_WIRE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

enum { VARINT = 0, FIXED64 = 1, DELIMITED = 2, FIXED32 = 5 };
enum { MOST_FIELDS = 32, MOST_OUTER = 4, MEMO_SIZE = 2048, VARINT_BYTES = 10, FIRST_ROOM = 1024 };

/* Raised for bytes that are not a valid message; the class is defined in Python. */
extern PyObject *Malformed;

/* Functions that return int return 0, or -1 with an exception set. */

void raise_malformed(void);

static inline int malformed(void)
{
    raise_malformed();
    return -1;
}

/* Turn the errors that bad values cause (lookup, value, arithmetic) into Malformed. */
void convert_error(void);

/* Writing */

typedef struct {
    uint8_t *data;
    size_t size, room;
    uint8_t first[FIRST_ROOM];
} Writer;

void writer_open(Writer *writer);
void writer_close(Writer *writer);
/* Return what was written as bytes, or NULL if `failed`; close the writer. */
PyObject *writer_finish(Writer *writer, int failed);
int writer_grow(Writer *writer, size_t more);

static inline int reserve(Writer *writer, size_t more)
{
    return writer->room - writer->size >= more ? 0 : writer_grow(writer, more);
}

static inline int put_varint(Writer *writer, uint64_t value)
{
    if (reserve(writer, VARINT_BYTES) < 0)
        return -1;
    while (value > 127) {
        writer->data[writer->size++] = (uint8_t)(value | 128);
        value >>= 7;
    }
    writer->data[writer->size++] = (uint8_t)value;
    return 0;
}

static inline int put_bytes(Writer *writer, const void *data, size_t size)
{
    if (reserve(writer, size) < 0)
        return -1;
    memcpy(writer->data + writer->size, data, size);
    writer->size += size;
    return 0;
}

int put_word(Writer *writer, uint64_t value);
int put_delimited(Writer *writer, uint64_t tag, PyObject *bytes);
/* Begin a field of unknown length: content written from now on belongs to it until it is closed. */
int open_delimited(Writer *writer, uint64_t tag, size_t *start);
int close_delimited(Writer *writer, size_t start);

/* Reading */

typedef struct {
    const uint8_t *at, *end;
} Reader;

/* Read a number of at most ten bytes; bits beyond the 64th are dropped. */
static inline int take_varint(Reader *reader, uint64_t *value)
{
    const uint8_t *at = reader->at;
    uint64_t total = 0;
    for (int shift = 0; shift < 7 * VARINT_BYTES; shift += 7) {
        if (at >= reader->end)
            return malformed();
        uint8_t byte = *at++;
        total |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            reader->at = at;
            *value = total;
            return 0;
        }
    }
    return malformed();
}

/* Read a length and step over as many bytes, which become `content`. */
static inline int take_delimited(Reader *reader, Reader *content)
{
    uint64_t size;
    if (take_varint(reader, &size) < 0)
        return -1;
    if (size > (uint64_t)(reader->end - reader->at))
        return malformed();
    content->at = reader->at;
    content->end = reader->at += size;
    return 0;
}

static inline uint64_t word_at(const uint8_t *data)
{
    uint64_t value = 0;
    for (int byte = 7; byte >= 0; byte--)
        value = value << 8 | data[byte];
    return value;
}

static inline PyObject *bytes_of(Reader content)
{
    return PyBytes_FromStringAndSize((const char *)content.at, content.end - content.at);
}

int reader_open(Reader *reader, PyObject *data);

/* Memos: caches of recent results, which are cleared when full. */

int memo_store(PyObject *memo, PyObject *key, PyObject *value);

/* Messages */

typedef struct Message Message;

enum Kind {
    UINT, SINT, FLAG, ENUM, UINTS, SINTS, WORD, WORDS, DOUBLE, TEXT, RAW, RAWS,
    NESTED, OPTIONAL, REPEATED, COUNTS, IGNORED, KINDS
};

typedef struct {
    uint64_t tag;
    int kind;
    PyObject *initial; /* the value if the field is missing */
    Message *message; /* of the kinds whose values are messages */
    PyObject *members; /* what numbers stand for: from 1 on of an enum, from 0 on of others */
    int shift_count; /* how many counts an integer has */
    uint8_t shifts[MOST_FIELDS];
    uint64_t mask; /* the largest count */
} Field;

struct Message {
    PyObject_HEAD
    PyObject *make; /* NULL if the message stands for its only field */
    PyTypeObject *record; /* the type of the record if it is a plain tuple, else NULL */
    PyObject *split; /* turns a record into the values of its fields, or NULL */
    PyObject *written, *taken; /* memos of split records */
    Py_ssize_t context, count;
    Field *fields;
    int outer_count;
    uint64_t outer[MOST_OUTER]; /* tags of the fields around the message, the outermost first */
};

extern PyTypeObject MessageType;

int field_init(Field *field, PyObject *description);
void field_clear(Field *field);
int is_repeated(const Field *field);
int put_field(Writer *writer, Field *field, PyObject *value);
PyObject *take_number(Field *field, uint64_t number);
PyObject *take_content(Field *field, Reader content);

int put_message(Writer *writer, Message *message, PyObject *record);
PyObject *take_message(Message *message, Reader reader, PyObject *const *context, Py_ssize_t given);
/* Return a new reference to a tuple of the items of a sequence. */
PyObject *tuple_of(PyObject *sequence);

#endif
