#!/bin/sh
# Reports a deployment to Pacekeeper without a key: exchanges the ID token of the CI job for a token of a trust. Requires
# curl and the tools of POSIX. All inputs are environment variables:
#   PACEKEEPER_SERVER_URL, PACEKEEPER_TRUST, PACEKEEPER_SERVICE, PACEKEEPER_ENVIRONMENT, PACEKEEPER_VERSION
# Optional: PACEKEEPER_ARTIFACT, PACEKEEPER_COMMIT, PACEKEEPER_URL, PACEKEEPER_TIME, PACEKEEPER_GATHER_JOB (an ID),
#   PACEKEEPER_LABELS (key=value, separated by commas), PACEKEEPER_AUDIENCE (default: the server URL)
# The ID token is PACEKEEPER_ID_TOKEN, or a new one of GitHub Actions.
# Exit codes: 0 reported, 1 rejected, 2 invalid input, 3 no answer.
set -eu

# Prints a message on one line. A value in it must not be a command for GitHub Actions, which reads the log: lines that
# begin with :: and texts that contain ##[ are commands.
say() {
  printf 'pacekeeper: %s' "$1" | LC_ALL=C tr '\001-\037\177' ' ' | sed 's/##\[/## [/g'
  echo
}

fail() {
  say "$2" >&2
  exit "$1"
}

# Prints a text as a JSON string. In the C locale, awk reads bytes, which keeps UTF-8 as it is.
json() {
  printf '%s\n' "$1" | LC_ALL=C awk '
    BEGIN { for (code = 1; code < 32; code++) escaped[sprintf("%c", code)] = sprintf("\\u%04x", code) }
    {
      if (NR > 1) text = text "\\n"
      for (at = 1; at <= length($0); at++) {
        character = substr($0, at, 1)
        if (character == "\\" || character == "\"") text = text "\\" character
        else if (character in escaped) text = text escaped[character]
        else text = text character
      }
    }
    END { printf "\"%s\"", text }'
}

# Prints a member of a JSON object after a comma, unless the text is empty.
member() {
  if [ -n "$2" ]; then printf ',"%s":%s' "$1" "$(json "$2")"; fi
}

# Prints the members of the labels.
labels() {
  printf '%s\n' "${PACEKEEPER_LABELS:-}" | tr ',' '\n' | sed 's/^[[:space:]]*//; s/[[:space:]]*$//' | while IFS= read -r line; do
    case $line in
      *=*) printf '%s%s:%s' "${comma:-}" "$(json "${line%%=*}")" "$(json "${line#*=}")" && comma=, ;;
      ?*) fail 2 "the label \"$line\" isn't in the form key=value" ;;
    esac
  done
}

# Prints a token in a member of a JSON object. Tokens have no characters that JSON escapes.
token_in() {
  printf '%s' "$2" | tr -d '\r\n' | sed -n "s/.*\"$1\"[[:space:]]*:[[:space:]]*\"\\([A-Za-z0-9._~+/=-]*\\)\".*/\\1/p"
}

# Sends a request with curl, and sets `status` and `answer`. The input is what no process of the machine can see.
request() {
  input=$1
  shift
  answer=$(printf '%s' "$input" | curl --silent --show-error --globoff --proto '=http,https' --max-time 30 \
    --write-out '\n%{http_code}' "$@") || true
  status=${answer##*
}
  answer=${answer%
*}
  case $status in [1-5][0-9][0-9]) ;; *) status=000 ;; esac
}

is_temporary() {
  case $status in 000 | 429 | 5[0-9][0-9]) return 0 ;; *) return 1 ;; esac
}

# Sets `id_token`.
read_id_token() {
  id_token=${PACEKEEPER_ID_TOKEN:-}
  if [ -n "$id_token" ]; then return; fi
  if [ -z "${ACTIONS_ID_TOKEN_REQUEST_URL:-}" ] || [ -z "${ACTIONS_ID_TOKEN_REQUEST_TOKEN:-}" ]; then
    fail 2 'the job has no ID token. In GitHub Actions, add "permissions: id-token: write" to the job. In GitLab CI, add PACEKEEPER_ID_TOKEN to the id_tokens of the job'
  fi
  request "Authorization: Bearer $ACTIONS_ID_TOKEN_REQUEST_TOKEN" --get --header @- \
    --data-urlencode "audience=$audience" --url "$ACTIONS_ID_TOKEN_REQUEST_URL"
  id_token=$(token_in value "$answer")
  if [ "$status" = 200 ] && [ -z "$id_token" ]; then fail 1 "GitHub Actions issued no ID token: $answer"; fi
}

# An ID token works once, so each try requests a new one if it can. Sets `token`.
exchange() {
  read_id_token
  if [ -z "$id_token" ]; then return; fi
  request "{\"trust\":$(json "$PACEKEEPER_TRUST"),\"id_token\":$(json "$id_token")}" \
    --header 'Content-Type: application/json' --data-binary @- --url "$server/api/v1/auth/deployment-token"
  token=$(token_in access_token "$answer")
  if [ "$status" = 200 ] && [ -z "$token" ]; then fail 1 "$server issued no token: $answer"; fi
}

report() {
  request "Authorization: Bearer $token" --header @- --header 'Content-Type: application/json' \
    --data-raw "$body" --url "$server/api/v1/client/deployments"
}

# Runs a step until its answer isn't temporary, five times at most. Ends the script unless the status is 200.
try() {
  for pause in 0 2 4 8 16; do
    sleep "$pause"
    "$1"
    if [ "$status" = 200 ]; then return; fi
    if ! is_temporary; then fail 1 "$2 was rejected (status $status): $answer"; fi
    say "$2 has failed (status $status)" >&2
  done
  fail 3 "$2 has failed five times"
}

for name in SERVER_URL TRUST SERVICE ENVIRONMENT VERSION; do
  eval "value=\${PACEKEEPER_$name:-}"
  if [ -z "$value" ]; then fail 2 "PACEKEEPER_$name isn't set"; fi
done
server=${PACEKEEPER_SERVER_URL%/}
case $server in
  http://* | https://*) ;;
  *) fail 2 'the server URL must begin with https://' ;;
esac
audience=${PACEKEEPER_AUDIENCE:-$server}
gather_job=${PACEKEEPER_GATHER_JOB:-}
case $gather_job in *[!0-9]*) fail 2 'the gather job must be an ID' ;; esac

label_members=$(labels)
body="{\"service\":$(json "$PACEKEEPER_SERVICE"),\"environment\":$(json "$PACEKEEPER_ENVIRONMENT")"
body="$body,\"version\":$(json "$PACEKEEPER_VERSION"),\"labels\":{$label_members}"
body="$body$(member artifact "${PACEKEEPER_ARTIFACT:-}")$(member commit "${PACEKEEPER_COMMIT:-}")"
body="$body$(member url "${PACEKEEPER_URL:-}")$(member time "${PACEKEEPER_TIME:-}")"
body="$body${gather_job:+,\"gather_job_id\":$gather_job}}"

try exchange 'the exchange of the ID token'
try report 'the report'
say "$PACEKEEPER_SERVICE in $PACEKEEPER_ENVIRONMENT: $PACEKEEPER_VERSION reported"
