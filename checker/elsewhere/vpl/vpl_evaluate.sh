#!/bin/sh
# What VPL's "Evaluate" runs: it makes the program that grades, whose lines VPL reads.
cat >vpl_execution <<'END'
#!/bin/sh
[ ! -f vpl_environment.sh ] || . ./vpl_environment.sh
export VPL_GRADEMIN VPL_GRADEMAX
exec sh /opt/layer-norm-workbook/checker/elsewhere/grade.sh vpl .
END
chmod +x vpl_execution
