import type { CommandNode } from '../command-tree.ts';
import { flatCommands, valueOptionsOf } from './flat-commands.ts';

/**
 * Generates the fish script. Each line is one suggestion, with a condition that limits it to its command and position.
 */
export function fishCompletion(program: CommandNode): string {
  const commands = flatCommands(program);
  const lines: string[] = [];
  const add = (condition: string, ...parts: string[]) =>
    lines.push(['complete -c pacekeeper', `-n ${quote(`__pacekeeper_at ${condition}`)}`, ...parts].join(' '));
  for (const { path, node } of commands) {
    for (const { name, summary } of node.commands)
      add(`"${path}" 0`, '-f', `-a ${quote(name)}`, `-d ${quote(summary)}`);
    for (const { names, summary, takesValue, values } of node.options) {
      const flags = names.map((name) =>
        name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
      );
      const choices = values.length > 0 ? ['-x', `-a ${quote(values.join(' '))}`] : takesValue ? ['-r'] : [];
      add(`"${path}"`, ...flags, ...choices, `-d ${quote(summary)}`);
    }
    for (const [place, { values }] of node.arguments.entries())
      if (values.length > 0) add(`"${path}" ${place}`, '-f', `-a ${quote(values.join(' '))}`);
  }
  const inner = commands.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  return `# fish completion for pacekeeper
set -g __pacekeeper_commands ${inner.join(' ')}
set -g __pacekeeper_value_options ${valueOptionsOf(commands).map(quote).join(' ')}
function __pacekeeper_at --description 'Whether the words before the cursor lead to this command and place'
    set -l command ''
    set -l place 0
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
            continue
        end
        if contains -- "$command $word" $__pacekeeper_value_options
            set skip 1
            continue
        end
        string match -q -- '-*' $word; and continue
        set -l longer (string trim -- "$command $word")
        if contains -- $longer $__pacekeeper_commands
            set command $longer
            set place 0
        else
            set place (math $place + 1)
        end
    end
    test "$command" = "$argv[1]"; or return 1
    set -q argv[2]; or return 0
    test $place = $argv[2]
end
${lines.join('\n')}
`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
