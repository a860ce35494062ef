#!/usr/bin/env bash
# Sets the version of a manual scrape job: needs bash and curl, nothing else.
#   PACEKEEPER_SERVER_URL  PACEKEEPER_API_KEY  PACEKEEPER_JOB (id)  PACEKEEPER_VERSION
# Exit code 0: stored. 1: refused, with what the server said. 2: called wrongly. 3: no answer after five tries.
set -euo pipefail

for name in PACEKEEPER_SERVER_URL PACEKEEPER_API_KEY PACEKEEPER_JOB PACEKEEPER_VERSION; do
  if [ -z "${!name:-}" ]; then
    echo "set-version: $name is not set" >&2
    exit 2
  fi
done
if ! [[ $PACEKEEPER_JOB =~ ^[1-9][0-9]*$ ]]; then
  echo "set-version: the job is given by its id, a number; got \"$PACEKEEPER_JOB\"" >&2
  exit 2
fi

# What may not stand in a JSON string as it is: a version has neither, and is refused by the server if it does.
version=${PACEKEEPER_VERSION//\\/\\\\}
version=${version//\"/\\\"}
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

for pause in 0 2 4 8 16; do
  sleep "$pause"
  # The key goes in by a file descriptor: arguments are seen by every process of the machine.
  status=$(curl --silent --show-error --max-time 30 --output "$answer" --write-out '%{http_code}' \
    --request POST --header 'Content-Type: application/json' \
    --config <(printf 'header = "X-API-Key: %s"\n' "$PACEKEEPER_API_KEY") \
    --data "{\"version\": \"$version\"}" \
    "${PACEKEEPER_SERVER_URL%/}/api/v1/client/scrape-jobs/$PACEKEEPER_JOB/set-version") || status=000
  case $status in
    200)
      echo "Pacekeeper: scrape job $PACEKEEPER_JOB is at $PACEKEEPER_VERSION"
      exit 0
      ;;
    000 | 429 | 5??) echo "set-version: no success yet (status $status)" >&2 ;;
    *)
      echo "set-version: refused with status $status" >&2
      cat "$answer" >&2
      exit 1
      ;;
  esac
done
exit 3
