import { readFileSync } from 'node:fs';
import { connectionProblems } from '../src/cli/connection-problems.ts';
import { settingKeys } from '../src/modules/settings/index.ts';
import { configVariables } from '../src/platform/config.ts';
import { errorCatalogue } from '../src/platform/error-catalogue.ts';

/** The pages of docs/ that say what the code says: `npm run generate -- docs`. */
export function referencePages(): ReadonlyMap<string, string> {
  return new Map([
    ['configuration.md', configurationPage()],
    ['troubleshooting.md', troubleshootingPage()],
  ]);
}

const origin = '<!-- Made by `npm run generate -- docs`. Do not edit. -->';

function configurationPage(): string {
  const variables = configVariables.map(({ name, defaultText, sentence }) => [
    `\`${name}\``,
    defaultText,
    sentence,
  ]);
  const settings = Object.entries(settingKeys).map(([key, { default: value, description }]) => [
    `\`${key}\``,
    typeof value === 'string' ? 'a template' : `\`${JSON.stringify(value)}\``,
    description,
  ]);
  return page(
    'Configuration',
    'Variables of the environment configure the program. A wrong one stops the start, with the whole list of what is wrong. Settings are values that an operator sets for everybody (`pacekeeper admin set-setting`) and that an organization may override on the page _Settings_.',
    [
      ['Variables', table(['Variable', 'Default', 'Meaning'], variables)],
      ['Settings', table(['Setting', 'Default', 'Meaning'], settings)],
    ],
  );
}

function troubleshootingPage(): string {
  const { http, run, delivery, state } = errorCatalogue;
  return page(
    'Troubleshooting',
    'Every code that Pacekeeper answers or shows, what it means, and what to do. An answer of the API also has a `request_id`, which stands in the log of the server.',
    [
      [
        'Answers of the API',
        table(
          ['Code', 'Status', 'Meaning', 'What to do'],
          Object.entries(http).map(([code, [status, ...words]]) => [`\`${code}\``, String(status), ...words]),
        ),
      ],
      [
        'Runs of jobs',
        table(
          ['Code', 'Tried again', 'Meaning', 'What to do'],
          Object.entries(run).map(([code, [again, ...words]]) => [
            `\`${code}\``,
            again ? 'yes' : 'no',
            ...words,
          ]),
        ),
      ],
      [
        'Deliveries and channels',
        table(
          ['Code', 'Meaning', 'What to do'],
          Object.entries(delivery).map(([code, words]) => [`\`${code}\``, ...words]),
        ),
      ],
      [
        'Reasons of the state of an alert configuration',
        table(
          ['Code', 'Meaning', 'What to do'],
          Object.entries(state).map(([code, words]) => [`\`${code}\``, ...words]),
        ),
      ],
      [
        'Connection errors of the command line',
        table(
          ['Code', 'Retried', 'Meaning', 'What to do'],
          connectionProblems.map(({ codes, isPermanent, meaning, remedy }) => [
            codes.map((code) => `\`${code}\``).join(', '),
            isPermanent ? 'no' : 'yes',
            `${meaning[0]!.toUpperCase()}${meaning.slice(1)}.`,
            remedy,
          ]),
        ),
      ],
    ],
  );
}

function page(title: string, about: string, parts: readonly (readonly [string, string])[]): string {
  const sections = parts.map(([heading, text]) => `## ${heading}\n\n${text}`);
  return `${origin}\n\n# ${title}\n\n${about}\n\n${sections.join('\n\n')}\n`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const escaped = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = header.map((name, column) =>
    Math.max(3, name.length, ...escaped.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...escaped.map(line)].join('\n');
}

/** What stands in docs/ now. */
export function readDocsPage(name: string): string {
  return readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');
}
