import type { CliCommand } from './cli-command.ts';

interface ListedCommand {
  /** Description in one line for `pacekeeper --help`. */
  summary: string;
  load(): Promise<CliCommand>;
}

/** All commands that use the server's HTTP API. The modules of a command are loaded only when it runs. */
export const cliCommands: Readonly<Record<string, ListedCommand>> = {
  login: {
    summary: 'Log in and save the session',
    load: async () => (await import('./login-commands.ts')).loginCommand,
  },
  logout: {
    summary: 'Log out and delete the saved session',
    load: async () => (await import('./login-commands.ts')).logoutCommand,
  },
  whoami: {
    summary: 'Show the current server, user, and organization',
    load: async () => (await import('./login-commands.ts')).whoamiCommand,
  },
  get: {
    summary: 'List or show resources',
    load: async () => (await import('./resources/get-command.ts')).getCommand,
  },
  create: {
    summary: 'Create a resource',
    load: async () => (await import('./resources/change-commands.ts')).createCommand,
  },
  update: {
    summary: 'Update resources',
    load: async () => (await import('./resources/change-commands.ts')).updateCommand,
  },
  delete: {
    summary: 'Delete a resource',
    load: async () => (await import('./resources/delete-command.ts')).deleteCommand,
  },
  enable: {
    summary: 'Enable resources',
    load: async () => (await import('./resources/switch-commands.ts')).enableCommand,
  },
  disable: {
    summary: 'Disable resources',
    load: async () => (await import('./resources/switch-commands.ts')).disableCommand,
  },
  toggle: {
    summary: 'Enable a disabled resource, or disable an enabled one',
    load: async () => (await import('./resources/switch-commands.ts')).toggleCommand,
  },
  run: { summary: 'Run a job now', load: async () => (await import('./job-commands.ts')).runCommand },
  'set-version': {
    summary: 'Set the version of a manual scrape job',
    load: async () => (await import('./job-commands.ts')).setVersionCommand,
  },
  report: {
    summary: 'Report a deployment by service and environment',
    load: async () => (await import('./report-command.ts')).reportCommand,
  },
  logs: {
    summary: "Show a job's runs",
    load: async () => (await import('./job-commands.ts')).logsCommand,
  },
  freshness: {
    summary: 'Show how far behind your deployed software is',
    load: async () => (await import('./freshness-command.ts')).freshnessCommand,
  },
  alerts: { summary: 'List alerts', load: async () => (await import('./alerts-command.ts')).alertsCommand },
  ack: {
    summary: 'Acknowledge alerts',
    load: async () => (await import('./alert-action-commands.ts')).ackCommand,
  },
  unack: {
    summary: 'Unacknowledge alerts',
    load: async () => (await import('./alert-action-commands.ts')).unackCommand,
  },
  comment: {
    summary: 'Comment on alerts',
    load: async () => (await import('./alert-action-commands.ts')).commentCommand,
  },
  assign: {
    summary: 'Assign alerts to a member',
    load: async () => (await import('./alert-action-commands.ts')).assignCommand,
  },
  resolve: {
    summary: 'Resolve alerts',
    load: async () => (await import('./alert-action-commands.ts')).resolveCommand,
  },
  snooze: {
    summary: 'Snooze alerts',
    load: async () => (await import('./alert-action-commands.ts')).snoozeCommand,
  },
  unsnooze: {
    summary: 'End snoozes',
    load: async () => (await import('./alert-action-commands.ts')).unsnoozeCommand,
  },
  silence: {
    summary: 'Suspend notifications for matching alerts',
    load: async () => (await import('./silence-commands.ts')).silenceCommand,
  },
  unsilence: {
    summary: 'End silences',
    load: async () => (await import('./silence-commands.ts')).unsilenceCommand,
  },
  accept: {
    summary: 'Accept discovered items, so that they are monitored',
    load: async () => (await import('./discovery/accept-command.ts')).acceptCommand,
  },
  ignore: {
    summary: 'Ignore discovered items',
    load: async () => (await import('./discovery/item-commands.ts')).ignoreCommand,
  },
  unignore: {
    summary: 'Restore ignored items',
    load: async () => (await import('./discovery/item-commands.ts')).unignoreCommand,
  },
  monitor: {
    summary: 'Monitor accepted items again',
    load: async () => (await import('./discovery/item-commands.ts')).monitorCommand,
  },
  'ignore-version': {
    summary: 'Ignore releases in an alert configuration',
    load: async () => (await import('./version-commands.ts')).ignoreVersionCommand,
  },
  'count-version': {
    summary: "Also compare an alert configuration with releases that don't fit the others",
    load: async () => (await import('./version-commands.ts')).countVersionCommand,
  },
  'follow-version': {
    summary: 'Compare an alert configuration only with releases like the given one',
    load: async () => (await import('./version-commands.ts')).followVersionCommand,
  },
  evaluate: {
    summary: 'Evaluate all enabled alert configurations now',
    load: async () => (await import('./action-commands.ts')).evaluateCommand,
  },
  check: {
    summary: 'Fail a pipeline when open alerts are too severe',
    load: async () => (await import('./check-command.ts')).checkCommand,
  },
  explain: {
    summary: 'Explain why an alert configuration is in its state',
    load: async () => (await import('./explain-command.ts')).explainCommand,
  },
  environments: {
    summary: 'Show deployed versions by service and environment',
    load: async () => (await import('./environments-command.ts')).environmentsCommand,
  },
  'release-notes': {
    summary: 'List the releases between the deployed and the latest version',
    load: async () => (await import('./release-notes-command.ts')).releaseNotesCommand,
  },
  'patch-times': {
    summary: 'Show the median days from a fix to its deployment, by month and owner',
    load: async () => (await import('./patch-times-command.ts')).patchTimesCommand,
  },
  vulnerabilities: {
    summary: 'List the known vulnerabilities of a deployed version, exploited ones first',
    load: async () => (await import('./vulnerabilities-command.ts')).vulnerabilitiesCommand,
  },
  'test-channel': {
    summary: 'Send a test message to a channel',
    load: async () => (await import('./action-commands.ts')).testChannelCommand,
  },
  simulate: {
    summary: 'Simulate a monitoring rule on past data, or the routing of an alert',
    load: async () => (await import('./simulate-command.ts')).simulateCommand,
  },
  forecast: {
    summary: 'List the thresholds that will be crossed next',
    load: async () => (await import('./forecast-command.ts')).forecastCommand,
  },
  support: {
    summary: 'List when support ends for deployed versions',
    load: async () => (await import('./support-command.ts')).supportCommand,
  },
  preview: {
    summary: 'Preview a parser or a template',
    load: async () => (await import('./action-commands.ts')).previewCommand,
  },
  retry: {
    summary: 'Retry deliveries',
    load: async () => (await import('./action-commands.ts')).retryCommand,
  },
  export: {
    summary: "Export the organization's configuration to a file",
    load: async () => (await import('./configuration/configuration-commands.ts')).exportCommand,
  },
  bom: {
    summary: 'Export all deployed software as CycloneDX',
    load: async () => (await import('./export-documents.ts')).bomCommand,
  },
  vex: {
    summary: 'Export ignored vulnerabilities as OpenVEX',
    load: async () => (await import('./export-documents.ts')).vexCommand,
  },
  apply: {
    summary: 'Apply a configuration file',
    load: async () => (await import('./configuration/configuration-commands.ts')).applyCommand,
  },
  discover: {
    summary: 'Find deployed versions in a Git checkout (without a server)',
    load: async () => (await import('./discovery/discover-command.ts')).discoverCommand,
  },
  import: {
    summary: 'Import configuration from another tool',
    load: async () => (await import('./argus/import-command.ts')).importCommand,
  },
  mcp: {
    summary: 'Serve read-only tools for AI assistants (Model Context Protocol)',
    load: async () => (await import('./mcp-command.ts')).mcpCommand,
  },
  completion: {
    summary: 'Print shell completions (bash, zsh, fish)',
    load: async () => (await import('./completion/completion-command.ts')).completionCommand,
  },
};
