import type { CommandNode } from '../command-tree.ts';
import { flatCommands, positionValuesOf, valueOptionsOf } from './flat-commands.ts';

/**
 * Generates the bash script. The script finds the command by the words before the cursor, then suggests the next words.
 */
export function bashCompletion(program: CommandNode): string {
  const commands = flatCommands(program);
  const inner = commands.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  const withValue = valueOptionsOf(commands).map(quote);
  const values = commands.flatMap(({ path, node }) =>
    node.options
      .filter((option) => option.values.length > 0)
      .map((option) => {
        const patterns = option.names.map((name) => quote(`${path} ${name}`)).join('|');
        return `    ${patterns}) words=${quote(option.values.join(' '))} ;;`;
      }),
  );
  const options = commands.map(({ path, node }) => {
    const names = node.options.flatMap((option) => option.names);
    return `      ${quote(path)}) words=${quote(names.join(' '))} ;;`;
  });
  const places = positionValuesOf(commands).map(
    ({ path, place, values: list }) =>
      `      ${quote(`${path} ${place}`)}) words=${quote(list.join(' '))} ;;`,
  );
  return `# bash completion for pacekeeper
_pacekeeper() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command='' place=0 words='' skip='' i
  # Bash passes --option=value as three words.
  if [ "$word" = '=' ]; then word=''; elif [ "$previous" = '=' ]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    local token="\${COMP_WORDS[i]}"
    if [ -n "$skip" ]; then
      [ "$token" = '=' ] || skip=''
      continue
    fi
    case "$command $token" in
      ${withValue.join('|')}) skip=1; continue ;;
    esac
    case "$token" in -*) continue ;; esac
    case "\${command:+$command }$token" in
      ${inner.join('|')}) command="\${command:+$command }$token"; place=0 ;;
      *) place=$((place + 1)) ;;
    esac
  done
  COMPREPLY=()
  case "$command $previous" in
${values.join('\n')}
    ${withValue.join('|')}) return ;;
  esac
  if [ -z "$words" ]; then
    case "$word" in
    -*) case "$command" in
${options.join('\n')}
      esac ;;
    *) case "$command $place" in
${places.join('\n')}
      esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _pacekeeper pacekeeper
`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
