// The parts of Observable Plot and D3 that the dashboard draws with.
export { areaY, axisX, axisY, dot, gridY, lineY, plot, ruleX, ruleY, text } from "@observablehq/plot";
export { brushX, pointer, select } from "d3";
