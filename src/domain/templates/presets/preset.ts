import type { ChatButtons } from '../../chat/chat-buttons.ts';
import type { EventData } from '../../routing/notification-event.ts';

/** What a channel of a platform needs besides its URL. Options are write-only: their values are never returned. */
export interface PresetOption {
  readonly name: string;
  /** Texts of its form field. */
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
  readonly isRequired: boolean;
  /** Whether knowing the value lets others send. */
  readonly isSecret: boolean;
  /** Set for a value that no message contains. */
  readonly isSent?: false;
  /** The whole value has to match. Values are strings; numbers are written in digits. */
  readonly pattern: RegExp;
  /** What the pattern means, after “must be”. */
  readonly expected: string;
}

export type PresetOptions = Readonly<Record<string, string>>;

/** The interface of presets. A preset creates the body that a platform expects of a webhook, and says how to set it up. */
export interface Preset {
  /** The name of the platform. */
  readonly label: string;
  /** Which message it sends, in a few words. */
  readonly about: string;
  /** What the URL is called there. */
  readonly urlLabel: string;
  readonly urlPlaceholder: string;
  /** For platforms with the same URL for everyone. */
  readonly urlDefault?: string;
  /** Where to get the URL, if its form doesn't say so. For the docs. */
  readonly urlSource?: string;
  /** How to get what the form requires. */
  readonly steps: readonly string[];
  /** A header in which the platform requires a secret. */
  readonly header?: string;
  readonly options: readonly PresetOption[];
  /** The platform opens and closes something for each alert. Promises that events are never combined into one message. */
  readonly isPerAlert?: true;
  /**
   * The body, to be sent as JSON. Promises, for every event and whatever the names in it contain: the platform
   * accepts it, its limits are kept, no name is read as markup, and nobody is mentioned. Never throws.
   *
   * @param buttons Of a message with buttons, on a platform that has them. They take the place of the acknowledge link.
   */
  render(event: EventData, options: PresetOptions, buttons?: ChatButtons | null): object;
}
