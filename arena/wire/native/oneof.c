/* Messages that hold one of several kinds of record, and messages that wrap another one. */

#include "wire.h"

typedef struct {
    PyTypeObject *type;
    uint64_t number;
    Message *message;
} Kind;

typedef struct {
    PyObject_HEAD
    Py_ssize_t count;
    Kind *kinds;
} OneOf;

typedef struct {
    PyObject_HEAD
    uint64_t tag;
    PyObject *inner; /* a Message or a OneOf */
} Wrapped;

static uint64_t tag_of(uint64_t number)
{
    return number << 3 | DELIMITED;
}

/* Read the number and content of a message's first field. */
static int take_only_field(Reader reader, uint64_t *number, Reader *content)
{
    uint64_t tag;
    if (take_varint(&reader, &tag) < 0)
        return -1;
    if ((tag & 7) != DELIMITED)
        return malformed();
    *number = tag >> 3;
    return take_delimited(&reader, content);
}

static void oneof_dealloc(OneOf *self)
{
    for (Py_ssize_t at = 0; at < self->count; at++) {
        Py_XDECREF(self->kinds[at].type);
        Py_XDECREF(self->kinds[at].message);
    }
    PyMem_Free(self->kinds);
    Py_TYPE(self)->tp_free(self);
}

static int oneof_kinds(OneOf *self, PyObject *kinds)
{
    self->kinds = PyMem_Calloc((size_t)PyTuple_GET_SIZE(kinds) + 1, sizeof(Kind));
    if (self->kinds == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    self->count = PyTuple_GET_SIZE(kinds);
    for (Py_ssize_t at = 0; at < self->count; at++) {
        PyObject *type, *message, *each = PyTuple_GET_ITEM(kinds, at);
        unsigned long long number;
        if (!PyTuple_Check(each)) {
            PyErr_SetString(PyExc_TypeError, "a kind is described by a tuple");
            return -1;
        }
        if (!PyArg_ParseTuple(each, "O!KO!", &PyType_Type, &type, &number, &MessageType, &message))
            return -1;
        self->kinds[at].type = (PyTypeObject *)Py_NewRef(type);
        self->kinds[at].number = number;
        self->kinds[at].message = (Message *)Py_NewRef(message);
    }
    return 0;
}

static PyObject *oneof_new(PyTypeObject *type, PyObject *args, PyObject *Py_UNUSED(kwargs))
{
    PyObject *kinds;
    if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &kinds))
        return NULL;
    OneOf *self = (OneOf *)type->tp_alloc(type, 0);
    if (self != NULL && oneof_kinds(self, kinds) < 0)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static int put_oneof(Writer *writer, OneOf *self, PyObject *record)
{
    size_t start;
    for (Py_ssize_t at = 0; at < self->count; at++) {
        Kind *kind = &self->kinds[at];
        if (kind->type != Py_TYPE(record))
            continue;
        if (open_delimited(writer, tag_of(kind->number), &start) < 0
            || put_message(writer, kind->message, record) < 0)
            return -1;
        return close_delimited(writer, start);
    }
    PyErr_SetObject(PyExc_KeyError, (PyObject *)Py_TYPE(record));
    return -1;
}

static PyObject *take_oneof(OneOf *self, Reader reader)
{
    uint64_t number;
    Reader content;
    if (take_only_field(reader, &number, &content) < 0)
        return NULL;
    for (Py_ssize_t at = 0; at < self->count; at++)
        if (self->kinds[at].number == number)
            return take_message(self->kinds[at].message, content, NULL, 0);
    malformed();
    return NULL;
}

static void wrapped_dealloc(Wrapped *self)
{
    Py_XDECREF(self->inner);
    Py_TYPE(self)->tp_free(self);
}

static PyObject *wrapped_new(PyTypeObject *type, PyObject *args, PyObject *Py_UNUSED(kwargs))
{
    unsigned long long number;
    PyObject *inner;
    if (!PyArg_ParseTuple(args, "KO", &number, &inner))
        return NULL;
    if (!Py_IS_TYPE(inner, &MessageType) && !Py_IS_TYPE(inner, &OneOfType)) {
        PyErr_SetString(PyExc_TypeError, "only a Message or a OneOf can be wrapped");
        return NULL;
    }
    Wrapped *self = (Wrapped *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->tag = tag_of(number);
        self->inner = Py_NewRef(inner);
    }
    return (PyObject *)self;
}

static int put_wrapped(Writer *writer, Wrapped *self, PyObject *record)
{
    size_t start;
    if (open_delimited(writer, self->tag, &start) < 0)
        return -1;
    int done = Py_IS_TYPE(self->inner, &OneOfType)
        ? put_oneof(writer, (OneOf *)self->inner, record)
        : put_message(writer, (Message *)self->inner, record);
    return done < 0 ? -1 : close_delimited(writer, start);
}

static PyObject *wrapped_write(Wrapped *self, PyObject *record)
{
    Writer writer;
    writer_open(&writer);
    return writer_finish(&writer, put_wrapped(&writer, self, record) < 0);
}

static PyObject *take_wrapped(Wrapped *self, Reader reader, PyObject *const *context,
                              Py_ssize_t given)
{
    uint64_t number;
    Reader content;
    if (take_only_field(reader, &number, &content) < 0)
        return NULL;
    if (Py_IS_TYPE(self->inner, &OneOfType))
        return take_oneof((OneOf *)self->inner, content);
    return take_message((Message *)self->inner, content, context, given);
}

static PyObject *wrapped_read(Wrapped *self, PyObject *const *args, Py_ssize_t count)
{
    Reader reader;
    if (count < 1) {
        PyErr_SetString(PyExc_TypeError, "read needs the bytes of a message");
        return NULL;
    }
    if (reader_open(&reader, args[0]) < 0)
        return NULL;
    PyObject *record = take_wrapped(self, reader, args + 1, count - 1);
    if (record == NULL)
        convert_error();
    return record;
}

static PyMethodDef wrapped_methods[] = {
    {"write", (PyCFunction)wrapped_write, METH_O, "Write a record as the only field."},
    {"read", (PyCFunction)(void (*)(void))wrapped_read, METH_FASTCALL, "Read a record."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject OneOfType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "arena.wire._native.OneOf",
    .tp_basicsize = sizeof(OneOf),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "A message that holds one of several kinds of record; it must be wrapped.",
    .tp_new = oneof_new,
    .tp_dealloc = (destructor)oneof_dealloc,
};

PyTypeObject WrappedType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "arena.wire._native.Wrapped",
    .tp_basicsize = sizeof(Wrapped),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "A message whose only field is another message.",
    .tp_new = wrapped_new,
    .tp_dealloc = (destructor)wrapped_dealloc,
    .tp_methods = wrapped_methods,
};
