package panel

// ColumnType says what the values of a column are, for files whose columns have types.
type ColumnType uint8

// The types of columns.
const (
	TypeText    ColumnType = iota
	TypeWhole              // a whole number
	TypeFloat              // a number
	TypeDecimal            // a number in whole ten-thousandths
	TypeFlag               // 0 or 1
	TypeDate               // days since 1970-01-01
	TypeTime               // nanoseconds since 1970-01-01 in UTC
)

// Value is a column's value in a record. The member that its type names has it: Text of a text,
// Float of a number, Int of all others.
type Value struct {
	Type  ColumnType
	Known bool
	Int   int64
	Float float64
	Text  string
}

// Value returns a record's value. It allocates nothing for the columns of observations and
// listings, of which panels have millions. A column of a list of texts is one of texts.
func (c *Column[T]) Value(record *T) Value {
	whole := func(t ColumnType, n int64) Value { return Value{Type: t, Known: n != 0, Int: n} }
	switch f := c.field(record).(type) {
	case idField:
		return whole(TypeWhole, *f.v)
	case productField:
		return whole(TypeWhole, int64(*f.v))
	case priceField:
		return whole(TypeDecimal, int64(*f.v))
	case fixedField:
		return Value{Type: TypeDecimal, Known: f.v.Valid, Int: f.v.Units}
	case numberField:
		return Value{Type: TypeFloat, Known: *f.v != 0, Float: *f.v}
	case measureField:
		return Value{Type: TypeFloat, Known: true, Float: *f.v}
	case flagField:
		return Value{Type: TypeFlag, Known: true, Int: f.bit()}
	case triField:
		v := Value{Type: TypeFlag, Known: *f.v != Unknown}
		if *f.v == Yes {
			v.Int = 1
		}
		return v
	case dateField:
		return whole(TypeDate, int64(*f.v))
	case weekField:
		return Value{Type: TypeDate, Known: true, Int: int64(*f.v)}
	case timeField:
		if f.v.IsZero() {
			return Value{Type: TypeTime}
		}
		return Value{Type: TypeTime, Known: true, Int: f.v.UnixNano()}
	case textField:
		return textValue(*f.v)
	case nameField:
		return textValue(*f.v)
	case titleField:
		return textValue(*f.v)
	default:
		return textValue(string(f.Append(nil)))
	}
}

func textValue(s string) Value { return Value{Type: TypeText, Known: s != "", Text: s} }
