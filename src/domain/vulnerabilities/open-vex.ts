import { formatPurl } from '../artifacts/purl.ts';
import { type Deployed, deployedPackage } from '../bom/deployed-package.ts';
import type { IgnoreReason, IgnoreRecord, StoredIgnore } from './ignored-vulnerability.ts';

/** A vulnerability that an alert configuration ignores for its deployed version. */
export interface IgnoredSoftwareVulnerability extends Deployed {
  /** Page about the deployed software. It identifies the software if its package URL isn't known. */
  pageUrl: string;
  ignore: StoredIgnore & IgnoreRecord;
}

interface VexContext {
  /** IRI of the document. */
  id: string;
  author: string;
  tooling: string;
  now: Date;
}

type VexStatus = 'not_affected' | 'affected' | 'fixed' | 'under_investigation';

interface VexStatement {
  vulnerability: { name: string };
  timestamp: string;
  products: { '@id': string; identifiers?: { purl: string } }[];
  status: VexStatus;
  status_notes: string;
  justification?: Exclude<IgnoreReason, 'fixed' | 'risk_accepted'>;
  impact_statement?: string;
  action_statement?: string;
}

export interface OpenVexDocument {
  '@context': string;
  '@id': string;
  author: string;
  timestamp: string;
  version: number;
  tooling: string;
  statements: VexStatement[];
}

/** Formats ignored vulnerabilities as an OpenVEX 0.2.0 document. Yields after each of them. */
export function* openVex(
  { id, author, tooling, now }: VexContext,
  ignored: readonly IgnoredSoftwareVulnerability[],
): Generator<void, OpenVexDocument> {
  const statements: VexStatement[] = [];
  for (const each of ignored) {
    statements.push(toStatement(each));
    yield;
  }
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': id,
    author,
    timestamp: now.toISOString(),
    version: 1,
    tooling,
    statements,
  };
}

function toStatement(ignored: IgnoredSoftwareVulnerability): VexStatement {
  const { id, until, reason, note, at, by } = ignored.ignore;
  // A package URL without a version would mean all versions.
  const purl = ignored.version === null ? null : deployedPackage(ignored);
  const text = purl === null ? null : formatPurl(purl);
  const notes = [
    `Ignored by ${by}${until === null ? '' : ` until ${until}`}.`,
    ...(isStatedElsewhere(reason) || note === '' ? [] : [note]),
  ];
  return {
    vulnerability: { name: id },
    timestamp: at,
    products: [text === null ? { '@id': ignored.pageUrl } : { '@id': text, identifiers: { purl: text } }],
    ...statusOf(reason, note),
    status_notes: notes.join(' '),
  };
}

/** True if the note of a vulnerability with this reason is its impact or action statement. */
function isStatedElsewhere(reason: IgnoreReason | null): boolean {
  return reason !== null && reason !== 'fixed';
}

function statusOf(
  reason: IgnoreReason | null,
  note: string,
): Pick<VexStatement, 'status' | 'justification' | 'impact_statement' | 'action_statement'> {
  switch (reason) {
    case null:
      return { status: 'under_investigation' };
    case 'fixed':
      return { status: 'fixed' };
    case 'risk_accepted':
      // OpenVEX requires an action statement.
      return { status: 'affected', action_statement: note === '' ? 'The risk is accepted.' : note };
    default:
      return {
        status: 'not_affected',
        justification: reason,
        ...(note !== '' && { impact_statement: note }),
      };
  }
}
