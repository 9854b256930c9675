/* A record as a message, field by field. */

#include "wire.h"

static void message_dealloc(Message *self)
{
    for (Py_ssize_t at = 0; at < self->count; at++)
        field_clear(&self->fields[at]);
    PyMem_Free(self->fields);
    Py_XDECREF(self->make);
    Py_XDECREF(self->record);
    Py_XDECREF(self->split);
    Py_XDECREF(self->written);
    Py_XDECREF(self->taken);
    Py_TYPE(self)->tp_free(self);
}

static int message_fields(Message *self, PyObject *fields)
{
    Py_ssize_t count = PyTuple_GET_SIZE(fields);
    if (count > MOST_FIELDS) {
        PyErr_Format(PyExc_ValueError, "a message has at most %d fields", MOST_FIELDS);
        return -1;
    }
    self->fields = PyMem_Calloc((size_t)count + 1, sizeof(Field));
    if (self->fields == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    self->count = count;
    for (Py_ssize_t at = 0; at < count; at++)
        if (field_init(&self->fields[at], PyTuple_GET_ITEM(fields, at)) < 0)
            return -1;
    return 0;
}

static int message_build(Message *self, PyObject *make, int is_plain, PyObject *split)
{
    if (make == Py_None && self->count != 1) {
        PyErr_SetString(PyExc_ValueError, "only a message of one field can stand for it");
        return -1;
    }
    if (make != Py_None)
        self->make = Py_NewRef(make);
    if (is_plain) {
        if (!PyType_Check(make) || !PyType_IsSubtype((PyTypeObject *)make, &PyTuple_Type)) {
            PyErr_SetString(PyExc_TypeError, "a plain record is a tuple");
            return -1;
        }
        self->record = (PyTypeObject *)Py_NewRef(make);
    }
    if (split == Py_None)
        return 0;
    self->split = Py_NewRef(split);
    self->written = PyDict_New();
    self->taken = PyDict_New();
    return self->written == NULL || self->taken == NULL ? -1 : 0;
}

static int message_outer(Message *self, PyObject *numbers)
{
    if (PyTuple_GET_SIZE(numbers) > MOST_OUTER) {
        PyErr_Format(PyExc_ValueError, "at most %d messages are around one", MOST_OUTER);
        return -1;
    }
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(numbers); at++) {
        unsigned long number = PyLong_AsUnsignedLong(PyTuple_GET_ITEM(numbers, at));
        if (number == (unsigned long)-1 && PyErr_Occurred())
            return -1;
        self->outer[self->outer_count++] = (uint64_t)number << 3 | DELIMITED;
    }
    return 0;
}

static PyObject *message_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *make, *split, *fields, *outer;
    int is_plain;
    Py_ssize_t context;
    if (kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0) {
        PyErr_SetString(PyExc_TypeError, "Message takes no keyword arguments");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "OpOnO!O!", &make, &is_plain, &split, &context, &PyTuple_Type,
            &fields, &PyTuple_Type, &outer))
        return NULL;
    if (context < 0 || context > MOST_FIELDS) {
        PyErr_SetString(PyExc_ValueError, "context is a small number");
        return NULL;
    }
    Message *self = (Message *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->context = context;
    if (message_fields(self, fields) < 0 || message_build(self, make, is_plain, split) < 0
        || message_outer(self, outer) < 0)
        Py_CLEAR(self);
    return (PyObject *)self;
}

/* Writing */

static int put_values(Writer *writer, Message *self, PyObject *record)
{
    PyObject *values = tuple_of(record);
    if (values == NULL)
        return -1;
    int done = 0;
    if (PyTuple_GET_SIZE(values) != self->context + self->count) {
        PyErr_Format(PyExc_ValueError, "a record of %zd values for %zd fields",
                     PyTuple_GET_SIZE(values), self->context + self->count);
        done = -1;
    }
    for (Py_ssize_t at = 0; done == 0 && at < self->count; at++)
        done = put_field(writer, &self->fields[at], PyTuple_GET_ITEM(values, self->context + at));
    Py_DECREF(values);
    return done;
}

/* Splitting a record is a Python function: its results are cached. */
static int put_split(Writer *writer, Message *self, PyObject *record)
{
    PyObject *bytes = PyDict_GetItemWithError(self->written, record);
    if (bytes != NULL)
        return put_bytes(writer, PyBytes_AS_STRING(bytes), (size_t)PyBytes_GET_SIZE(bytes));
    if (PyErr_Occurred())
        return -1;
    PyObject *values = PyObject_CallOneArg(self->split, record);
    if (values == NULL)
        return -1;
    size_t start = writer->size;
    int done = put_values(writer, self, values);
    Py_DECREF(values);
    if (done < 0)
        return -1;
    bytes = PyBytes_FromStringAndSize((char *)writer->data + start,
                                      (Py_ssize_t)(writer->size - start));
    if (bytes == NULL)
        return -1;
    done = memo_store(self->written, record, bytes);
    Py_DECREF(bytes);
    return done;
}

int put_message(Writer *writer, Message *self, PyObject *record)
{
    if (self->make == NULL)
        return put_field(writer, &self->fields[0], record);
    return self->split ? put_split(writer, self, record) : put_values(writer, self, record);
}

static int put_outer(Writer *writer, Message *self, PyObject *record)
{
    size_t starts[MOST_OUTER];
    for (int at = 0; at < self->outer_count; at++)
        if (open_delimited(writer, self->outer[at], &starts[at]) < 0)
            return -1;
    if (put_message(writer, self, record) < 0)
        return -1;
    for (int at = self->outer_count; at > 0; at--)
        if (close_delimited(writer, starts[at - 1]) < 0)
            return -1;
    return 0;
}

static PyObject *message_write(Message *self, PyObject *record)
{
    Writer writer;
    writer_open(&writer);
    return writer_finish(&writer, put_outer(&writer, self, record) < 0);
}

/* Reading */

/* Find the field of a tag, starting with the one expected next. */
static Field *field_tagged(Message *self, uint64_t tag, Py_ssize_t *expected)
{
    for (Py_ssize_t tried = 0; tried < self->count; tried++) {
        if (*expected >= self->count)
            *expected = 0;
        Field *field = &self->fields[(*expected)++];
        if (field->tag == tag)
            return field;
    }
    return NULL;
}

/* Add a value to the list of a repeated field. */
static int add_value(PyObject **list, PyObject *value)
{
    int done = -1;
    if (*list != NULL || (*list = PyList_New(0)) != NULL)
        done = PyList_Append(*list, value);
    Py_DECREF(value);
    return done;
}

static int take_one(Field *field, PyObject **slot, uint64_t tag, Reader *reader)
{
    Reader content;
    uint64_t number = 0;
    PyObject *value = NULL;
    Py_ssize_t size = (tag & 7) == FIXED64 ? 8 : 4;
    switch (tag & 7) {
    case DELIMITED:
        if (take_delimited(reader, &content) < 0)
            return -1;
        if (field == NULL)
            return 0;
        value = take_content(field, content);
        if (value != NULL && is_repeated(field))
            return add_value(slot, value);
        break;
    case VARINT:
        if (take_varint(reader, &number) < 0)
            return -1;
        if (field != NULL)
            value = take_number(field, number);
        break;
    case FIXED64: case FIXED32:
        if (reader->end - reader->at < size)
            return malformed();
        if (field != NULL) /* then it is FIXED64: no field is FIXED32 */
            value = take_number(field, word_at(reader->at));
        reader->at += size;
        break;
    default:
        return malformed();
    }
    if (field == NULL)
        return 0;
    if (value == NULL)
        return -1;
    Py_XSETREF(*slot, value);
    return 0;
}

static PyObject *build_tuple(Message *self, PyObject **values, PyObject *const *context)
{
    Py_ssize_t size = self->context + self->count;
    PyObject *record = self->record == &PyTuple_Type ? PyTuple_New(size)
                                                     : self->record->tp_alloc(self->record, size);
    if (record == NULL)
        return NULL;
    for (Py_ssize_t at = 0; at < self->context; at++)
        PyTuple_SET_ITEM(record, at, Py_NewRef(context[at]));
    for (Py_ssize_t at = 0; at < self->count; at++)
        PyTuple_SET_ITEM(record, self->context + at, Py_NewRef(values[at]));
    return record;
}

static PyObject *build(Message *self, PyObject **values, PyObject *const *context)
{
    if (self->make == NULL)
        return Py_NewRef(values[0]);
    if (self->record != NULL)
        return build_tuple(self, values, context);
    PyObject *arguments[2 * MOST_FIELDS];
    for (Py_ssize_t at = 0; at < self->context; at++)
        arguments[at] = context[at];
    for (Py_ssize_t at = 0; at < self->count; at++)
        arguments[self->context + at] = values[at];
    return PyObject_Vectorcall(self->make, arguments, (size_t)(self->context + self->count), NULL);
}

static int take_values(Message *self, Reader reader, PyObject **values)
{
    Py_ssize_t expected = 0;
    while (reader.at < reader.end) {
        uint64_t tag;
        if (take_varint(&reader, &tag) < 0)
            return -1;
        Field *field = field_tagged(self, tag, &expected);
        PyObject **slot = field == NULL ? NULL : &values[field - self->fields];
        if (take_one(field, slot, tag, &reader) < 0)
            return -1;
    }
    for (Py_ssize_t at = 0; at < self->count; at++) {
        if (values[at] == NULL)
            values[at] = Py_NewRef(self->fields[at].initial);
        else if (is_repeated(&self->fields[at])) {
            PyObject *tuple = PyList_AsTuple(values[at]);
            if (tuple == NULL)
                return -1;
            Py_SETREF(values[at], tuple);
        }
    }
    return 0;
}

static PyObject *take_record(Message *self, Reader reader, PyObject *const *context)
{
    PyObject *values[MOST_FIELDS] = {NULL};
    PyObject *record = NULL;
    if (take_values(self, reader, values) == 0)
        record = build(self, values, context);
    for (Py_ssize_t at = 0; at < self->count; at++)
        Py_XDECREF(values[at]);
    return record;
}

PyObject *take_message(Message *self, Reader reader, PyObject *const *context, Py_ssize_t given)
{
    if (given != self->context) {
        PyErr_Format(PyExc_TypeError, "%zd values of context given, not %zd", given,
                     self->context);
        return NULL;
    }
    if (self->split == NULL)
        return take_record(self, reader, context);
    PyObject *key = bytes_of(reader);
    if (key == NULL)
        return NULL;
    PyObject *record = Py_XNewRef(PyDict_GetItemWithError(self->taken, key));
    if (record == NULL && !PyErr_Occurred()) {
        record = take_record(self, reader, context);
        if (record != NULL && memo_store(self->taken, key, record) < 0)
            Py_CLEAR(record);
    }
    Py_DECREF(key);
    return record;
}

/* Step into the messages around this one, each of which has a single field. */
static int take_outer(Message *self, Reader *reader)
{
    for (int at = 0; at < self->outer_count; at++) {
        uint64_t tag;
        Reader content;
        if (take_varint(reader, &tag) < 0)
            return -1;
        if (tag != self->outer[at])
            return malformed();
        if (take_delimited(reader, &content) < 0)
            return -1;
        *reader = content;
    }
    return 0;
}

static PyObject *message_read(Message *self, PyObject *const *args, Py_ssize_t count)
{
    Reader reader;
    if (count < 1) {
        PyErr_SetString(PyExc_TypeError, "read needs the bytes of a message");
        return NULL;
    }
    if (reader_open(&reader, args[0]) < 0)
        return NULL;
    PyObject *record = NULL;
    if (take_outer(self, &reader) == 0)
        record = take_message(self, reader, args + 1, count - 1);
    if (record == NULL)
        convert_error();
    return record;
}

static PyMethodDef message_methods[] = {
    {"write", (PyCFunction)message_write, METH_O, "Write a record."},
    {"read", (PyCFunction)(void (*)(void))message_read, METH_FASTCALL, "Read a record."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject MessageType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "arena.wire._native.Message",
    .tp_basicsize = sizeof(Message),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "A record as a message.",
    .tp_new = message_new,
    .tp_dealloc = (destructor)message_dealloc,
    .tp_methods = message_methods,
};
