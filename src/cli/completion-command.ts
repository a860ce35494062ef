import { Argument } from 'commander';
import type { CliCommand } from './cli-command.ts';
import { cliCommands } from './command-list.ts';
import { resources } from './resources/resource-table.ts';

const serverCommands = ['serve', 'agent', 'migrate', 'admin'];
const ofResources = ['get', 'create', 'update', 'delete', 'toggle'];

/** `completion SHELL`: names of commands and of resources; files after that. */
export const completionCommand: CliCommand = (command, { io }) => {
  command
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action((shell: 'bash' | 'zsh' | 'fish') => io.stdout(scripts[shell]()));
};

const commands = () => [...serverCommands, ...Object.keys(cliCommands)].join(' ');
const kinds = () => resources.map(({ name }) => name).join(' ');

const scripts = {
  bash: () => `# eval "$(pacekeeper completion bash)"
_pacekeeper() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands()}" -- "$word"))
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case "\${COMP_WORDS[1]}" in
      ${ofResources.join('|')}) COMPREPLY=($(compgen -W "${kinds()}" -- "$word")) ;;
    esac
  fi
}
complete -o default -F _pacekeeper pacekeeper
`,
  zsh: () => `#compdef pacekeeper
# eval "$(pacekeeper completion zsh)"
_pacekeeper() {
  if (( CURRENT == 2 )); then
    compadd ${commands()}
  elif (( CURRENT == 3 )) && [[ \${words[2]} == (${ofResources.join('|')}) ]]; then
    compadd ${kinds()}
  else
    _files
  fi
}
compdef _pacekeeper pacekeeper
`,
  fish: () => `# pacekeeper completion fish | source
complete -c pacekeeper -n __fish_use_subcommand -f -a "${commands()}"
complete -c pacekeeper -n "__fish_seen_subcommand_from ${ofResources.join(' ')}" -f -a "${kinds()}"
`,
};
