import { knownSources } from '../catalog/catalogue.ts';
import { cleanLine } from '../templates/clean-text.ts';
import type { Fact, FactPlace, LinkProblem } from './fact.ts';
import { guessEnvironment, guessService } from './guess-labels.ts';
import { itemKey } from './item-key.ts';
import { findIncompleteServices } from './link-compose-services.ts';
import { type LinkedFact, linkFacts, type ScannedFile } from './link-facts.ts';
import { createProposer, type KnownSource, type Proposal } from './propose-source.ts';
import type { Reason } from './reasons.ts';
import { maxItems } from './scan-limits.ts';
import type { DotenvFile } from './use-dotenv.ts';

export interface DiscoveredItem {
  extractor: Fact['extractor'];
  /** The same in every scan, wherever the file is; several items can share it. */
  key: string;
  place: FactPlace & { file: string };
  artifact: Fact['artifact'] & { purl: string | null };
  version: string | null;
  version_state: Fact['state'];
  digest: string | null;
  note: string | null;
  /** Why it isn't proposed. `null` if it is. */
  reason: Reason | null;
  proposal: Proposal | null;
  environment: string | null;
  service: string | null;
  labels: Record<string, string>;
  /** The source repository of the software in a chart, if the chart names it. */
  project_url?: string;
}

export interface DiscoverOptions {
  /** Sources that are known without the files. Default: the catalog and command-line tools. */
  known?: readonly KnownSource[];
  /** The `.env` files next to Compose files. */
  dotenvFiles?: readonly DotenvFile[];
  /** Whether a file was read without problems, even if it contains no versions. Default: unknown. */
  isRead?(path: string): boolean;
  labelsOf(path: string): Record<string, string>;
  /** Returns the owners, separated by commas. */
  ownerOf(path: string): string | null;
  /** Default: what its directories and its file are called. */
  environmentOf?(path: string): string | null;
}

export interface Discovered {
  items: DiscoveredItem[];
  /** Items beyond the limit of a scan. */
  omittedCount: number;
}

export interface DiscoveredInFiles extends Discovered {
  /** What is wrong between files. What is wrong in one file is reported where it's read. */
  problems: LinkProblem[];
}

/** Turns the facts of all files into items that can be accepted. */
export function discover(files: readonly ScannedFile[], options: DiscoverOptions): DiscoveredInFiles {
  const propose = createProposer(options.known ?? knownSources);
  const linked = linkFacts(files, options);
  const items = linked.slice(0, maxItems).map((fact) => toItem(fact, propose, options));
  const problems = findIncompleteServices(files);
  return { items, omittedCount: linked.length - items.length, problems };
}

/** Workflows and tools belong to the repository, whatever their files are called. */
function isDeployed({ extractor }: LinkedFact): boolean {
  return extractor !== 'github_actions' && extractor !== 'tool_versions';
}

function toItem(
  fact: LinkedFact,
  propose: ReturnType<typeof createProposer>,
  { labelsOf, ownerOf, environmentOf = guessEnvironment }: DiscoverOptions,
): DiscoveredItem {
  const { purl, proposal } = propose(fact);
  const { file, extractor, artifact, version, state, digest, note, projectUrl = null } = fact;
  const owner = ownerOf(file);
  const fromPath = cleanValues(labelsOf(file));
  const environment = fromPath['environment'] ?? (isDeployed(fact) ? environmentOf(file) : null);
  const service = fromPath['service'] ?? guessService(fact);
  const reason = fact.reason ?? (proposal === null ? 'no_source' : null);
  return {
    extractor,
    key: itemKey(fact),
    place: {
      file,
      ...fact.place,
    },
    artifact: {
      ...artifact,
      purl,
    },
    version,
    version_state: state,
    digest,
    note,
    reason,
    proposal,
    environment,
    service,
    labels: {
      ...cleanValues({
        ...(environment !== null && { environment }),
        ...(service !== null && { service }),
        ...(owner !== null && { owner }),
      }),
      ...fromPath,
    },
    ...(projectUrl !== null && { project_url: projectUrl }),
  };
}

/** Labels as one visible line each. Labels that become empty are dropped. */
function cleanValues(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels)
      .map(([key, value]) => [key, cleanLine(value)] as const)
      .filter(([, value]) => value !== ''),
  );
}
