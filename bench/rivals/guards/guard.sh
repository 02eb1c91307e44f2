# Builtins only: a JSON parser, such as jq, would be another process.
read -r call
case $call in
*'"name":"shell"'*'rm -rf'*) echo '{"reject":{"code":"no-rm","reason":"Nothing is deleted here."}}' ;;
*) echo '"continue"' ;;
esac
