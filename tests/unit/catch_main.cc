// The main of every unit test program where Catch2 (version 2) brings none.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
