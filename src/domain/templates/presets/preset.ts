import type { ChatButtons } from '../../channels/chat-buttons.ts';
import type { ReceiverResponse, Rejection } from '../../channels/receiver-response.ts';
import type { EventData, EventType } from '../../routing/notification-event.ts';

/**
 * An option that channels of a platform need in addition to the URL. Options are write-only: their values are
 * never returned.
 */
export interface PresetOption {
  readonly name: string;
  /** Label of the form field. `description` and `example` belong to the same field. */
  readonly label: string;
  readonly description: string;
  /** Example of a value, shown after the description. */
  readonly example?: string;
  readonly isRequired: boolean;
  /** True if anyone who has the value can send messages. */
  readonly isSecret: boolean;
  /** `false` for a value that messages never contain. */
  readonly isSent?: false;
  /** Pattern that must match the whole value. Values are strings, and numbers are written in digits. */
  readonly pattern: RegExp;
  /** Description of the pattern, for use after “must be”. */
  readonly expected: string;
}

export type PresetOptions = Readonly<Record<string, string>>;

/**
 * A preset, which creates the webhook body that a platform expects and describes how to set up the platform.
 */
export interface Preset {
  /** Name of the platform. */
  readonly label: string;
  /** Short description of the messages. */
  readonly about: string;
  /** The platform's name for the URL. */
  readonly urlLabel: string;
  readonly urlExample: string;
  /** Default URL, for platforms with the same URL for everyone. */
  readonly urlDefault?: string;
  /** Source of the URL, if its format doesn't show that. For the docs. */
  readonly urlSource?: string;
  /** Instructions for users: where they get the values that they enter in the channel form. */
  readonly steps: readonly string[];
  /** Media type of the body, if it isn't `application/json`. */
  readonly contentType?: string;
  /**
   * Receiver of the requests, which determines the fields of the channel form. `custom`: any program, which can verify
   * signatures and whose responses aren't known. `self_hosted`: the platform's server, which can be behind a proxy that
   * requires headers. `hosted`: the platform's API, which requires only the URL and the options.
   */
  readonly receiver: 'custom' | 'self_hosted' | 'hosted';
  /** Header in which the platform requires a secret. */
  readonly header?: string;
  readonly options: readonly PresetOption[];
  /**
   * Set if the platform opens and closes an item for each alert, or requires one message for each event. Guarantees that
   * events are never combined into one message.
   */
  readonly isPerAlert?: true;
  /**
   * True if the event isn't sent. On this platform, each message opens an item, and no later event would
   * close the item of this event.
   */
  skips?(eventType: EventType): boolean;
  /**
   * Returns the body that closes the item (such as an incident) that `body` opens, or `null` if `body` opens
   * none. Used for channel tests, because no later event closes the item of a test.
   *
   * @param body A parsed body, which a template of the channel may have created.
   */
  renderEnd?(body: object): object | null;
  /**
   * Returns the reason why the platform rejected a message although its response has a 2xx status, or `null`.
   * Undefined if the platform reports all errors with another status.
   */
  findRejection?(answer: ReceiverResponse): Rejection | null;
  /**
   * Returns the body, to be sent as JSON. For every event, regardless of the names in it, the following is
   * guaranteed: the platform accepts the body, the body is within the platform's limits, no name is parsed as
   * markup, and no one is mentioned. Never throws.
   *
   * @param buttons Buttons of the message, on a platform that supports them. They replace the acknowledge
   * link.
   * @param incidentHost Stored host, used in the keys by which later events find an item again. By default,
   * the host of the URLs in the event.
   */
  render(
    event: EventData,
    options: PresetOptions,
    buttons?: ChatButtons | null,
    incidentHost?: string | null,
  ): object;
}
