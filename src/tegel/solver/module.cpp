// The puzzle solvers for Python. Every call that may take long gives the GIL back.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <vector>

#include "tegel/solver/cover.hpp"
#include "tegel/solver/packing.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tegel::solver;
using Free = nb::call_guard<nb::gil_scoped_release>;

NB_MODULE(TEGEL_MODULE, module) {
    nb::enum_<Status>(module, "Status")
        .value("PAUSED", Status::PAUSED)
        .value("FOUND", Status::FOUND)
        .value("DONE", Status::DONE);

    nb::class_<Cover>(module, "Cover")
        .def(nb::init<const std::vector<int>&, const std::vector<int>&,
                      const std::vector<std::vector<Cover::Holding>>&>(),
             "least"_a, "most"_a, "options"_a)
        .def("restart", &Cover::restart, "seed"_a)
        .def("weigh", &Cover::weigh, "weights"_a)
        .def("run", &Cover::run, "nodes"_a, Free())
        .def("count", &Cover::count, "nodes"_a, Free())
        .def("dive", &Cover::dive, "seed"_a, Free())
        .def_prop_ro("solution", &Cover::solution)
        .def_prop_ro("nodes", &Cover::visited)
        .def_prop_ro("solutions", &Cover::solutions);

    nb::class_<Packing>(module, "Packing")
        .def(nb::init<int, int, const std::vector<int>&,
                      const std::vector<std::vector<Packing::Shape>>&,
                      const std::vector<std::vector<int>>&, const std::vector<int>&, bool,
                      std::uint64_t>(),
             "width"_a, "height"_a, "off"_a, "tiles"_a, "hands"_a, "starts"_a, "descending"_a,
             "seed"_a)
        .def("fix", &Packing::fix, "colour"_a, "tile"_a, "cells"_a)
        .def("run", &Packing::run, "tries"_a, Free())
        .def_prop_ro("best", &Packing::best)
        .def_prop_ro("missing", &Packing::missing)
        .def_prop_ro("tries", &Packing::tried);
}
