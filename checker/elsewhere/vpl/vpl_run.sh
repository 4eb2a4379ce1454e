#!/bin/sh
# What VPL's "Run" runs: the same verdict, to be read, and no grade.
cat >vpl_execution <<'END'
#!/bin/sh
sh /opt/layer-norm-workbook/checker/elsewhere/grade.sh vpl . | sed -n 's/^[->]//p'
END
chmod +x vpl_execution
