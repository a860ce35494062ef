import { parsePurl } from '../artifacts/purl.ts';

/** The fields of a CDEvents document about a service from which a report is read. */
export interface DeploymentEvent {
  context: { id: string; source: string; type: string; timestamp: string };
  subject: { id: string; content: { environment: { id: string }; artifactId: string } };
}

/** The attributes of an event that its envelope repeats. */
export interface EventEnvelope {
  id?: string | undefined;
  source?: string | undefined;
  type?: string | undefined;
}

/** Names of the fields of a report, and the fields of the event that they are read from. */
export const eventFields = {
  service: 'subject.id',
  environment: 'subject.content.environment.id',
  version: 'subject.content.artifactId',
  artifact: 'subject.content.artifactId',
  time: 'context.timestamp',
} as const;

export interface EventReport {
  service: string;
  environment: string;
  version: string;
  artifact: string;
  time: string;
}

type Problem = { field: string; message: string };

/** Maximum length of a version in a report. */
const maxVersionLength = 256;

/** Returns the report that an event contains, or the field that isn't valid and the reason. */
export function readDeploymentEvent({
  context,
  subject,
}: DeploymentEvent): { report: EventReport } | { problem: Problem } {
  const { artifactId } = subject.content;
  const problem = (message: string) => ({ problem: { field: eventFields.version, message } });
  const purl = parsePurl(artifactId);
  if (purl === null)
    return problem('must be a package URL without control characters, such as pkg:generic/checkout@1.14.2');
  // An image is identified by its digest, which can't be compared with releases, so the tag takes precedence.
  const tag = purl.qualifiers.find(([key]) => key === 'tag')?.[1];
  const version = (tag ?? purl.version ?? '').trim();
  if (version === '')
    return problem('must have a version, such as pkg:generic/checkout@1.14.2, or the qualifier tag');
  if (version.length > maxVersionLength)
    return problem(`must have a version of at most ${maxVersionLength} characters`);
  return {
    report: {
      service: subject.id,
      environment: subject.content.environment.id,
      version,
      artifact: artifactId,
      time: context.timestamp,
    },
  };
}

/**
 * Returns the name of an attribute whose values in the envelope and in the event differ, or `null`. The
 * CDEvents binding requires equal values. Different values would make it unclear whether the event is a
 * repetition of an earlier one.
 */
export function differingAttribute(
  { context }: DeploymentEvent,
  envelope: EventEnvelope,
): keyof EventEnvelope | null {
  const names = ['id', 'source', 'type'] as const;
  return names.find((name) => envelope[name] !== undefined && envelope[name] !== context[name]) ?? null;
}
