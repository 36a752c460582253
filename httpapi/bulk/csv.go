package bulk

import (
	"bytes"
	"io"
	"strconv"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/parquet-go/parquet-go"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/record"
)

// writeCSV writes a header and a line for each row. The values are those of JSON bodies; null
// is the empty cell.
func (t *Rows[T]) writeCSV(w io.Writer) error {
	gz, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // the level is valid
	var line []byte
	for i, c := range t.Columns {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(line, c.Name...)
	}
	line = append(line, '\n')
	for row := range t.Each {
		if _, err := gz.Write(line); err != nil {
			return err
		}
		line = line[:0]
		for i := range t.Columns {
			if i > 0 {
				line = append(line, ',')
			}
			line = t.Columns[i].appendCell(line, t.Columns[i].Value(row))
		}
		line = append(line, '\n')
	}
	if _, err := gz.Write(line); err != nil {
		return err
	}
	return gz.Close()
}

func (c *Column[T]) appendCell(b []byte, v parquet.Value) []byte {
	if v.IsNull() {
		return b
	}
	switch c.Type {
	case record.Whole:
		return strconv.AppendInt(b, v.Int64(), 10)
	case record.Float:
		return strconv.AppendFloat(b, v.Double(), 'f', -1, 64)
	case record.Decimal:
		return panel.FixedOf(v.Int64()).Append(b, c.Decimals)
	case record.Flag:
		return strconv.AppendBool(b, v.Int64() != 0)
	case record.Date:
		return append(b, panel.Date(v.Int64()).String()...)
	case record.Time:
		return time.Unix(0, v.Int64()).UTC().AppendFormat(b, time.RFC3339Nano)
	}
	text := v.ByteArray()
	if !bytes.ContainsAny(text, ",\"\r\n") {
		return append(b, text...)
	}
	return append(append(append(b, '"'), bytes.ReplaceAll(text, []byte(`"`), []byte(`""`))...), '"')
}
