/** The platforms whose messages can have buttons, by the name of their preset. */
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

/** What the buttons of one message are about. */
export interface ChatButtons {
  /** Proves that a press comes from a message of ours, and from which. */
  token: string;
  /** The buttons that are left. */
  actions: readonly ChatAction[];
  /** What a press has changed, in a sentence; null in a new message. */
  outcome: string | null;
}

/** A press as a platform reports it. Nothing of it is believed but what its sender vouches for. */
export interface ChatPress {
  action: ChatAction;
  token: string;
  /** The team at Slack or Mattermost, and the person. */
  workspace: { id: string; name: string };
  user: { id: string; name: string };
  /** Where Slack takes the response. */
  responseUrl: string | null;
}

/** What is answered to who pressed, in the chat, and to no one else. */
export interface ChatReply {
  text: string;
  /** Shown after the text. */
  url: string | null;
}

/** How long buttons work, from the event of their message. */
export const buttonDays = 7;
export const snoozeMs = 7 * 86_400_000;
