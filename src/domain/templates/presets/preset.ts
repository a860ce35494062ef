import type { EventData } from '../../routing/notification-event.ts';

export type PresetId =
  | 'generic'
  | 'slack'
  | 'discord'
  | 'teams'
  | 'pagerduty'
  | 'telegram'
  | 'mattermost'
  | 'gotify'
  | 'ntfy';

/** What a channel has to say beside its URL. Options are write-only: their values are never shown again. */
export interface PresetOption {
  readonly name: string;
  readonly isRequired: boolean;
  /** Whether knowing the value lets others send. */
  readonly isSecret: boolean;
  /** The whole value has to match. Values are strings; numbers are written in digits. */
  readonly pattern: RegExp;
  /** What the pattern means, after “must be”. */
  readonly expected: string;
}

export type PresetOptions = Readonly<Record<string, string>>;

/** Makes the body that a platform expects of a webhook. */
export interface Preset {
  readonly id: PresetId;
  readonly options: readonly PresetOption[];
  /**
   * The body, to be sent as JSON. Promises, for every event and whatever the names in it contain: the platform
   * accepts it, its limits are kept, no name is read as markup, and nobody is mentioned. Never throws.
   */
  render(event: EventData, options: PresetOptions): object;
}
