# Builtins alone: a parser of JSON, such as jq, would be one process more.
read -r call
case $call in
*'"name":"shell"'*'rm -rf'*) echo '{"reject":{"code":"no-rm","reason":"Nothing is deleted here."}}' ;;
*) echo '"continue"' ;;
esac
