import { createReadStream } from 'node:fs';
import {
  isReferenceSource,
  type ReferenceSourceName,
  referenceNames,
} from '../../domain/rules/reference-age.ts';
import {
  LifecycleReader,
  type Lifecycles,
  type LifecyclesProblem,
} from '../../domain/support/read-lifecycles.ts';
import { EpssReader, epssProblemSentences } from '../../domain/vulnerabilities/epss-reader.ts';
import {
  catalogProblemSentences,
  KnownExploitedReader,
} from '../../domain/vulnerabilities/known-exploited-reader.ts';
import {
  type ChangedVerdicts,
  type ExploitLoad,
  listScoredCves,
  loadExploits,
  loadLifecycles,
  loadVulnerabilities,
} from '../../modules/reference/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { GzipError, gunzipIfPacked } from '../../sources/gunzip-if-packed.ts';
import { countNoun } from './count-noun.ts';
import { CommandError, type OperatorCommand, UsageError } from './operator-command.ts';
import { readOsvFile } from './read-osv-file.ts';
import { unreadableFile } from './unreadable-file.ts';

/** The `pacekeeper admin load-reference` command, for installations without internet access. */
export const loadReferenceCommand: OperatorCommand = {
  name: 'admin load-reference',
  synopsis: 'SOURCE FILE [--as-of TIME] [--confirm]',
  summary: 'Load reference data from a file',
  help: `
  --as-of TIME  When the file was downloaded, such as 2026-11-20 (only vulnerabilities; default: its newest change)
  --confirm     Load it even if it changes many results

SOURCE is one of:

  end_of_life      When support for release lines ends, as https://endoflife.date/api/v1/products/full returns it
  epss             How likely vulnerabilities are to be exploited: https://epss.empiricalsecurity.com/epss_scores-current.csv.gz,
                   compressed or not. Only scores of stored vulnerabilities are kept, so load it after vulnerabilities
  known_exploited  Vulnerabilities that are known to be exploited, from CISA:
                   https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json
  vulnerabilities  OSV records of one ecosystem: an all.zip file from OSV, or one JSON record per line. Load one file for each
                   ecosystem. Records of packages that neither a gather job nor the catalog tracks are skipped, so load the
                   file again for new packages

The file replaces the stored data (of its ecosystem). A file that is older than the stored data is rejected, and so is one that
would change more than 10% (and at least 20) of an organization's results, or of the stored entries about exploits, unless you
use --confirm. Only alert configurations whose product or packages have changed are evaluated.`,
  positionals: ['SOURCE', 'FILE'],
  options: { confirm: { type: 'boolean' }, 'as-of': { type: 'string' } },
  async run({ args, option, isSet, open, print }) {
    const [source, file] = args as [string, string];
    const asOf = option('as-of');
    const asOfMs = asOf === null ? null : Date.parse(asOf);
    if (!isReferenceSource(source))
      throw new UsageError(`${JSON.stringify(source)} isn't a source; use ${referenceNames}.`);
    if (Number.isNaN(asOfMs ?? 0)) throw new UsageError(`--as-of: ${JSON.stringify(asOf)} isn't a time.`);
    if (asOfMs !== null && source !== 'vulnerabilities')
      throw new UsageError('--as-of applies only to vulnerabilities; other data includes its date.');
    const { db } = await open();
    const load = { db, file, asOfMs, isConfirmed: isSet('confirm') };
    print(await loaders[source](load));
  },
};

interface FileLoad {
  db: Database;
  file: string;
  asOfMs: number | null;
  isConfirmed: boolean;
}

/** Functions that load a file. Each returns a message about the loaded data. */
const loaders = {
  end_of_life: loadLifecycleFile,
  epss: loadEpssFile,
  known_exploited: loadCatalogFile,
  vulnerabilities: loadOsvFile,
} satisfies Record<ReferenceSourceName, (load: FileLoad) => Promise<string>>;

async function loadLifecycleFile({ db, file, isConfirmed }: FileLoad): Promise<string> {
  const { generatedAtMs, products } = await readLifecycleFile(file);
  const result = await loadLifecycles(db, { asOfMs: generatedAtMs, products, isConfirmed });
  switch (result.outcome) {
    case 'older':
      throw new CommandError(
        `the stored data is newer: ${toTime(result.storedAsOfMs)}. The file was generated at ${toTime(generatedAtMs)}.`,
      );
    case 'unconfirmed':
      throw unconfirmed(result.changes);
    case 'in_future':
      throw new CommandError(
        `the file was generated at ${toTime(generatedAtMs)}, which is in the future. Check the clock of the database server.`,
      );
    case 'loaded':
      return `Loaded ${countNoun(result.products, 'product')} with ${countNoun(result.lines, 'release line')}, as of ${toTime(generatedAtMs)}. ${result.changed} changed.`;
  }
}

async function loadCatalogFile({ file, ...load }: FileLoad): Promise<string> {
  const reader = new KnownExploitedReader();
  try {
    for await (const piece of createReadStream(file, 'utf8')) reader.feed(String(piece));
  } catch (error) {
    throw unreadableFile(file, error);
  }
  const end = reader.end();
  if (!end.ok) throw new CommandError(`can't use ${file}: ${catalogProblemSentences[end.problem]}`);
  const { releasedAtMs: asOfMs, entries } = end.catalog;
  return loadExploitFile({ ...load, source: 'known_exploited', entries, asOfMs });
}

async function loadEpssFile({ file, ...load }: FileLoad): Promise<string> {
  const reader = new EpssReader(new Set(await listScoredCves(load.db)));
  const decoder = new TextDecoder();
  try {
    for await (const piece of gunzipIfPacked(createReadStream(file)))
      reader.feed(decoder.decode(piece, { stream: true }));
  } catch (error) {
    if (error instanceof GzipError) throw new CommandError(`can't use ${file}: it isn't complete gzip data.`);
    throw unreadableFile(file, error);
  }
  const end = reader.end();
  if (!end.ok) throw new CommandError(`can't use ${file}: ${epssProblemSentences[end.problem]}`);
  const { scoredAtMs: asOfMs, scores: entries } = end.epss;
  return loadExploitFile({ ...load, source: 'epss', entries, asOfMs });
}

async function loadExploitFile({ db, ...load }: Pick<FileLoad, 'db'> & ExploitLoad): Promise<string> {
  const result = await loadExploits(db, load);
  switch (result.outcome) {
    case 'older':
      throw new CommandError(
        `the stored data is newer: ${toTime(result.storedAsOfMs)}. The file was generated at ${toTime(load.asOfMs)}.`,
      );
    case 'unconfirmed':
      throw new CommandError(
        `the file lacks ${result.lost} of the ${result.stored} stored entries and has ${result.added} new ones. Nothing was loaded. Check the file, then run the command again with --confirm.`,
      );
    case 'no_records':
      throw new CommandError('the file has no entries. Download it again.');
    case 'in_future':
      throw new CommandError(
        `the file was generated at ${toTime(load.asOfMs)}, which is in the future. Check the clock of the database server.`,
      );
    case 'loaded':
      return `Loaded ${countNoun(result.entries, 'CVE ID')}, as of ${toTime(load.asOfMs)}. ${result.changed} changed.`;
  }
}

async function loadOsvFile({ db, file, asOfMs, isConfirmed }: FileLoad): Promise<string> {
  const load = { records: () => readOsvFile(file), asOfMs, isConfirmed };
  const result = await loadVulnerabilities(db, load);
  switch (result.outcome) {
    case 'older':
      throw new CommandError(
        `the stored data is newer: ${toTime(result.storedAsOfMs)}. The file is from ${toTime(result.asOfMs)}. If you downloaded it later, use --as-of.`,
      );
    case 'unconfirmed':
      throw unconfirmed(result.changes);
    case 'in_future':
      throw new CommandError(
        `the file is from ${toTime(result.asOfMs)}, which is in the future. Check the clock of the database server, or use --as-of.`,
      );
    case 'no_records':
      throw new CommandError(
        `can't use ${file}: it has no OSV records. Download https://storage.googleapis.com/osv-vulnerabilities/ECOSYSTEM/all.zip.`,
      );
    case 'no_common_ecosystem':
      throw new CommandError(
        `can't use ${file}: its records belong to different ecosystems. Load one file for each ecosystem.`,
      );
    case 'loaded':
      return `Loaded ${result.kept} of ${countNoun(result.records, 'record')}, of ${countNoun(result.packages, 'package')}, as of ${toTime(result.asOfMs)}. ${countNoun(result.changed, 'package')} changed.${result.kept === 0 ? noneTracked : ''}`;
  }
}

const noneTracked =
  ' No gather job or catalog entry tracks a package in this file. Check vulnerability_packages of your gather jobs.';

function unconfirmed(changes: readonly ChangedVerdicts[]): CommandError {
  const counts = changes.map(
    ({ organizationId, changed, total }) => `${changed} of ${total} of organization ${organizationId}`,
  );
  return new CommandError(
    `the file would change many results: ${counts.join(', ')}. Nothing was loaded. Check the file, then run the command again with --confirm.`,
  );
}

async function readLifecycleFile(file: string): Promise<Lifecycles> {
  const reader = new LifecycleReader();
  try {
    for await (const piece of createReadStream(file, 'utf8')) reader.feed(String(piece));
  } catch (error) {
    throw unreadableFile(file, error);
  }
  const end = reader.end();
  if (!end.ok) throw new CommandError(`can't use ${file}: ${sentences[end.problem]}`);
  return end.lifecycles;
}

const sentences: Readonly<Record<LifecyclesProblem, string>> = {
  not_json: "it isn't complete JSON. Download it again.",
  too_large: 'a product in it is too large.',
  no_products: 'it has no products. Download https://endoflife.date/api/v1/products/full.',
  no_date: "it doesn't say when it was generated (generated_at).",
  truncated: "it doesn't have as many products as it states. Download it again.",
};

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
