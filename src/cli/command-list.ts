import type { CliCommand } from './cli-command.ts';

interface ListedCommand {
  /** One line for `pacekeeper --help`. */
  summary: string;
  load(): Promise<CliCommand>;
}

/** Every command that speaks to a server over HTTP. What a command needs is loaded with it. */
export const cliCommands: Readonly<Record<string, ListedCommand>> = {
  login: {
    summary: 'logs in and keeps the login',
    load: async () => (await import('./login-commands.ts')).loginCommand,
  },
  logout: {
    summary: 'ends the login',
    load: async () => (await import('./login-commands.ts')).logoutCommand,
  },
  whoami: {
    summary: 'says where and as whom commands work',
    load: async () => (await import('./login-commands.ts')).whoamiCommand,
  },
  get: {
    summary: 'shows resources: rules, alert-configs, gather-jobs …',
    load: async () => (await import('./resources/get-command.ts')).getCommand,
  },
  create: {
    summary: 'makes a resource',
    load: async () => (await import('./resources/change-commands.ts')).createCommand,
  },
  update: {
    summary: 'changes a resource',
    load: async () => (await import('./resources/change-commands.ts')).updateCommand,
  },
  delete: {
    summary: 'deletes a resource',
    load: async () => (await import('./resources/change-commands.ts')).deleteCommand,
  },
  toggle: {
    summary: 'turns a resource on or off',
    load: async () => (await import('./resources/change-commands.ts')).toggleCommand,
  },
  run: { summary: 'runs a job now', load: async () => (await import('./job-commands.ts')).runCommand },
  'set-version': {
    summary: 'says which version a manual scrape job has',
    load: async () => (await import('./job-commands.ts')).setVersionCommand,
  },
  logs: {
    summary: 'shows the runs of a job',
    load: async () => (await import('./job-commands.ts')).logsCommand,
  },
  alerts: { summary: 'shows alerts', load: async () => (await import('./alerts-command.ts')).alertsCommand },
  ack: {
    summary: 'acknowledges alerts',
    load: async () => (await import('./alert-action-commands.ts')).ackCommand,
  },
  unack: {
    summary: 'takes an acknowledgement back',
    load: async () => (await import('./alert-action-commands.ts')).unackCommand,
  },
  resolve: {
    summary: 'resolves alerts',
    load: async () => (await import('./alert-action-commands.ts')).resolveCommand,
  },
  snooze: {
    summary: 'keeps alerts quiet for a time',
    load: async () => (await import('./alert-action-commands.ts')).snoozeCommand,
  },
  unsnooze: {
    summary: 'lets snoozed alerts speak again',
    load: async () => (await import('./alert-action-commands.ts')).unsnoozeCommand,
  },
  evaluate: {
    summary: 'compares all active alert configurations now',
    load: async () => (await import('./check-commands.ts')).evaluateCommand,
  },
  'test-channel': {
    summary: 'sends a test to a notification channel',
    load: async () => (await import('./check-commands.ts')).testChannelCommand,
  },
  simulate: {
    summary: 'says whom a notification rule would tell',
    load: async () => (await import('./check-commands.ts')).simulateCommand,
  },
  preview: {
    summary: 'tries a parser or a template',
    load: async () => (await import('./check-commands.ts')).previewCommand,
  },
  retry: {
    summary: 'sends notification deliveries again',
    load: async () => (await import('./check-commands.ts')).retryCommand,
  },
  export: {
    summary: 'writes the configuration of the organization as a file',
    load: async () => (await import('./configuration/configuration-commands.ts')).exportCommand,
  },
  apply: {
    summary: 'makes the organization what a file says',
    load: async () => (await import('./configuration/configuration-commands.ts')).applyCommand,
  },
  import: {
    summary: 'reads the configuration of another program',
    load: async () => (await import('./argus/import-command.ts')).importCommand,
  },
  completion: {
    summary: 'prints completions for bash, zsh or fish',
    load: async () => (await import('./completion-command.ts')).completionCommand,
  },
};
