import type { CommandNode } from '../command-tree.ts';
import { flatCommands, positionValuesOf, valueOptionsOf } from './flat-commands.ts';

/**
 * Generates the zsh script. Like the bash script, it finds the command by the preceding words. It also shows
 * the summaries of commands and options.
 */
export function zshCompletion(program: CommandNode): string {
  const commands = flatCommands(program);
  const inner = commands.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  const withValue = valueOptionsOf(commands).map(quote);
  const values = commands.flatMap(({ path, node }) =>
    node.options
      .filter((option) => option.values.length > 0)
      .map((option) => {
        const patterns = option.names.map((name) => quote(`${path} ${name}`)).join('|');
        return `    ${patterns}) compadd -- ${option.values.map(quote).join(' ')}; return ;;`;
      }),
  );
  const options = commands.map(({ path, node }) => {
    const described = node.options.flatMap(({ names, summary }) =>
      names.map((name) => describe(name, summary)),
    );
    return `      ${quote(path)}) list=(${described.join(' ')}) ;;`;
  });
  const summaries = new Map(
    commands.map(({ path, node }) => [
      path,
      new Map(node.commands.map(({ name, summary }) => [name, summary])),
    ]),
  );
  const places = positionValuesOf(commands).map(({ path, place, values: list }) => {
    const described = list.map((value) => describe(value, summaries.get(path)?.get(value) ?? ''));
    return `      ${quote(`${path} ${place}`)}) list=(${described.join(' ')}) ;;`;
  });
  return `#compdef pacekeeper
_pacekeeper() {
  local command='' place=0 skip='' token i
  local -a list
  for ((i = 2; i < CURRENT; i++)); do
    token="\${words[i]}"
    if [[ -n $skip ]]; then skip=''; continue; fi
    case "$command $token" in
      ${withValue.join('|')}) skip=1; continue ;;
    esac
    case "$token" in -*) continue ;; esac
    case "\${command:+$command }$token" in
      ${inner.join('|')}) command="\${command:+$command }$token"; place=0 ;;
      *) place=$((place + 1)) ;;
    esac
  done
  case "$command \${words[CURRENT-1]}" in
${values.join('\n')}
    ${withValue.join('|')}) _files; return ;;
  esac
  case "\${words[CURRENT]}" in
    -*) case "$command" in
${options.join('\n')}
    esac ;;
    *) case "$command $place" in
${places.join('\n')}
    esac ;;
  esac
  if (( \${#list} )); then _describe pacekeeper list; else _files; fi
}
if [ "$funcstack[1]" = '_pacekeeper' ]; then _pacekeeper "$@"; else compdef _pacekeeper pacekeeper; fi
`;
}

/** Formats an item as `name:summary`, the syntax of _describe. */
function describe(name: string, summary: string): string {
  const escaped = name.replaceAll(':', String.raw`\:`);
  return quote(summary === '' ? escaped : `${escaped}:${summary}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
