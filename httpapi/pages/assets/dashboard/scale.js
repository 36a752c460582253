// Where values stand on an axis.

// linear maps a range of values onto a range of pixels. A range of a single
// value is mapped onto the first pixel.
export function linear(from, to, start, end) {
  const slope = to === from ? 0 : (end - start) / (to - from);
  return (value) => start + (value - from) * slope;
}

// nice returns round values for an axis, about `count` of them, of which the
// first and the last enclose low and high.
export function nice(low, high, count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((n) => n * power >= rough * 0.999);
  const first = Math.floor(low / step + 1e-9), last = Math.ceil(high / step - 1e-9);
  const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const values = [];
  for (let n = first; n <= Math.max(last, first + 1); n++) values.push({ value: n * step, text: (n * step).toFixed(places) });
  return values;
}

// extent returns what an axis should enclose: the levels of series in weeks, and
// 100, which all of them begin at. It is a point wide at least, so that a change
// of a hundredth is no cliff. members are what is drawn of a row.
export function extent(list, weeks, members = ["index_value"]) {
  let low = 100, high = 100;
  for (const one of list) {
    for (const week of weeks) {
      const row = one.rows.get(week);
      for (const level of members.map((member) => row?.[member]).filter((value) => typeof value === "number")) {
        low = Math.min(low, level);
        high = Math.max(high, level);
      }
    }
  }
  const lacking = Math.max(0, 1 - (high - low)) / 2;
  return [low - lacking, high + lacking];
}
