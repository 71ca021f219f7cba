"use strict";
(() => {
  const nodes = [...document.querySelectorAll(".tree details")];
  const openMainLine = () => {
    nodes.forEach((node) => { node.open = false; });
    let node = nodes[0];
    while (node) {
      node.open = true;
      node = node.querySelector(":scope > .inside > ul > li > details");
    }
  };
  const doing = {
    line: openMainLine,
    expand: () => nodes.forEach((node) => { node.open = true; }),
    collapse: () => nodes.forEach((node, k) => { node.open = k === 0; }),
  };
  document.querySelectorAll("button[data-do]").forEach((button) => {
    button.addEventListener("click", doing[button.dataset.do]);
  });

  // A readout under the pointer: the nearest moment, in every chart of the row at once.
  const nearest = (spots, x) => spots.reduce((best, spot, k) => (Math.abs(spot - x) < Math.abs(spots[best] - x) ? k : best), 0);
  document.querySelectorAll(".charts").forEach((row) => {
    const along = row.dataset.along.split(" ");
    const charts = [...row.querySelectorAll(".chart")].map((chart) => {
      const lines = [...chart.querySelectorAll(".line")];
      return {
        drawing: chart.querySelector("svg"),
        pointer: chart.querySelector(".pointer"),
        when: chart.querySelector(".when"),
        figures: [...chart.querySelectorAll(".legend b")],
        values: lines.map((line) => line.dataset.values.split(" ")),
        spots: [...lines[0].points].map((point) => point.x),
      };
    });
    const tell = (k, seen) => charts.forEach((chart) => {
      chart.pointer.setAttribute("visibility", seen ? "visible" : "hidden");
      chart.pointer.setAttribute("x1", chart.spots[k]);
      chart.pointer.setAttribute("x2", chart.spots[k]);
      chart.figures.forEach((figure, line) => { figure.textContent = chart.values[line][k]; });
      chart.when.textContent = seen ? `${Number(along[k]).toLocaleString("en")} ${row.dataset.unit}` : "";
    });
    charts.forEach((chart) => {
      chart.drawing.addEventListener("pointermove", (event) => {
        const box = chart.drawing.getBoundingClientRect();
        const x = (event.clientX - box.left) * chart.drawing.viewBox.baseVal.width / box.width;
        tell(nearest(chart.spots, x), true);
      });
      chart.drawing.addEventListener("pointerleave", () => tell(along.length - 1, false));
    });
  });
})();
