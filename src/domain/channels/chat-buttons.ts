/** Platforms whose messages can have buttons. The names are those of the presets. */
export type ChatPlatform = 'slack' | 'mattermost';

export const chatPlatformLabels: Readonly<Record<ChatPlatform, string>> = {
  slack: 'Slack',
  mattermost: 'Mattermost',
};

export const chatActions = ['acknowledge', 'snooze'] as const;
export type ChatAction = (typeof chatActions)[number];

export const chatActionLabels: Readonly<Record<ChatAction, string>> = {
  acknowledge: 'Acknowledge',
  snooze: 'Snooze 7 days',
};

/** Buttons of a message. */
export interface ChatButtons {
  /** Proves that a press comes from a message that Pacekeeper sent, and identifies the message. */
  token: string;
  /** Buttons that are still available. */
  actions: readonly ChatAction[];
  /** Sentence that describes the change after a button was pressed. `null` in a new message. */
  outcome: string | null;
}

/** Button press as reported by a platform. Trust only the values that the sender has authenticated. */
export interface ChatPress {
  action: ChatAction;
  token: string;
  /** Team at Slack or Mattermost. */
  workspace: { id: string; name: string };
  user: { id: string; name: string };
  /** URL to which Slack expects the response. */
  responseUrl: string | null;
}

/** Response in the chat that only the person who pressed the button can see. */
export interface ChatReply {
  text: string;
  /** Link after the text. */
  url: string | null;
}

/** Number of days for which buttons work, counted from the event that their message reports. */
export const buttonDays = 7;
export const snoozeMs = 7 * 86_400_000;
