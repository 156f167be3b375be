// The program of all three projects.
#include "../main.cpp"
