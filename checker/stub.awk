# Makes a learner's stub of a reference solution: awk -f checker/stub.awk solutions/NN_name.c
# Between "// SOLUTION" and "// END" is the solution's alone; "// STUB: " opens a line of the stub.
/^[ \t]*\/\/ SOLUTION$/ { hidden = 1; next }
/^[ \t]*\/\/ END$/ { hidden = 0; next }
/^[ \t]*\/\/ STUB: / { sub(/\/\/ STUB: /, ""); print; next }
!hidden { print }
