import { deployedPurl } from '../../deployments/deployed-purl.ts';
import type { DeploymentEventData, EventData } from '../../routing/notification-event.ts';
import { cleanLine, joinWithin, truncate } from '../clean-text.ts';
import { describeEvent } from '../event-message.ts';
import type { Preset } from './preset.ts';

/** Version of the CDEvents specification, and of its events about services. */
const specVersion = '0.5.1';
const serviceVersion = '0.3.0';
/** Version of the custom events. */
const customVersion = '0.1.0';

/**
 * Maximum lengths in characters. They limit the size of messages, because brokers may reject messages above
 * 64 KiB, the minimum that CloudEvents requires them to accept.
 */
const limits = { name: 200, version: 256, title: 1_000, fact: 2_000, summary: 20_000 };

/**
 * Sends CDEvents in the structured mode of CloudEvents. A changed version is an event about a service, and every
 * channel with this preset gets it. Other events have custom types, so that no receiver mistakes an alert or a test for
 * a deployment.
 */
export const cdeventsPreset: Preset = {
  label: 'CDEvents',
  about: 'Sends an event when the deployed version of a service changes.',
  urlLabel: 'URL',
  urlExample: 'https://events.example.com/pacekeeper',
  urlSource: 'A receiver of CloudEvents, such as a broker',
  steps: [
    'Create an address at your broker that receives CloudEvents over HTTP in structured mode, and copy its URL.',
    'Give version trackers labels for the service and the environment. Others send no events.',
  ],
  receiver: 'custom',
  options: [],
  contentType: 'application/cloudevents+json',
  isPerAlert: true,
  render(event) {
    const { type, source, subject, time } =
      event.event === 'deployment.changed' ? ofService(event) : custom(event);
    const head = { id: event.event_id, source, type };
    return {
      specversion: '1.0',
      ...head,
      subject: subject.id,
      time,
      datacontenttype: 'application/json',
      data: { context: { specversion: specVersion, ...head, timestamp: time }, subject },
    };
  },
};

interface Parts {
  type: string;
  source: string;
  subject: { id: string; content: object };
  time: string;
}

/** Source of events without a sender URL. A relative reference is a valid source. */
const unknownSource = '/pacekeeper';

function ofService({ deployment }: DeploymentEventData): Parts {
  const service = nameOf(deployment.service);
  const { change, artifact, deployed_at, sender_url } = deployment;
  const version = cleanLine(deployment.version, limits.version) || 'unknown';
  return {
    type: `dev.cdevents.service.${change}.${serviceVersion}`,
    source: sourceOf(sender_url),
    subject: {
      id: service,
      content: {
        environment: { id: nameOf(deployment.environment) },
        artifactId: deployedPurl({ service, version, artifact }),
      },
    },
    time: deployed_at,
  };
}

/**
 * Returns the parts of a custom event. Its type contains the name of the program, as in
 * `dev.cdeventsx.pacekeeper-alert.created.0.1.0`.
 */
function custom(event: EventData): Parts {
  const [subject = '', predicate = 'sent'] = event.event.replaceAll('_', '').split('.');
  const { title, level, facts, links, items } = describeEvent(event);
  return {
    type: `dev.cdeventsx.pacekeeper-${subject}.${predicate}.${customVersion}`,
    source: unknownSource,
    subject: {
      id: event.event_id,
      content: {
        title: truncate(title, limits.title),
        level,
        facts: facts.map(({ label, value }) => ({ label, value: truncate(value, limits.fact) })),
        links,
        ...(items.length > 0 && {
          summary: joinWithin(
            items.map((item) => item.title),
            limits.summary,
          ),
        }),
      },
    },
    time: event.timestamp,
  };
}

/**
 * Removes the query and the fragment from the URL of a sender, because they could contain characters that a
 * URI must not have.
 */
function sourceOf(senderUrl: string): string {
  const url = URL.parse(senderUrl);
  return url === null ? unknownSource : `${url.origin}${url.pathname}`;
}

function nameOf(text: string): string {
  return cleanLine(text, limits.name) || '(no name)';
}
