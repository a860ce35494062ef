/** A pattern that user-visible text must not contain, and a replacement. */
export interface StopWord {
  pattern: RegExp;
  write: string;
}

export const stopWords: readonly StopWord[] = [
  { pattern: /\b(tells?|told)\b/, write: 'notify, send, show' },
  { pattern: /\b(hears?|heard)\b/, write: 'receive; last seen' },
  {
    pattern: /\b(whom|whoever)\b|(^|[.:;] )Who (has|knows|is|acknow)/,
    write: 'anyone who, people who',
  },
  { pattern: /\b(no|any|some|every)body\b/i, write: 'no one, someone' },
  {
    pattern: /\b(is|are|was|were|been|be) made\b|\b[Mm]akes? (a|an|one)\b|^Made$|: Made$|\bMade by\b/,
    write: 'create, created, generate',
  },
  {
    pattern: /\b(is|are) (changed|deleted|removed|saved|withdrawn|cleared)\.$/,
    write: '"X updated", "X deleted"',
  },
  {
    pattern: /\b(stands?|stood) (at|in|on|beside|here|there|under|where|as|over|so|for)\b|\bstands?\b[.,]/,
    write: 'is, appears',
  },
  { pattern: /\b(is|are) no (?!longer|more|one|leader|problem)[a-z]+/, write: "isn't valid, invalid" },
  { pattern: /\b[Tt]here (is|are) no\b/, write: 'not found, no X' },
  {
    pattern: /\b(anew|mend(ed)?|meanwhile|beside|likes|kin|lately|for ever|in sight)\b/,
    write: 'again, fix, next to',
  },
  {
    pattern: /\b(such a|own|other|these|of a|no) things?\b|^things?\b|\bthe thing\b|\bsuch thing\b/,
    write: 'resource',
  },
  { pattern: /\bmay not\b|\bhas not the\b|\bis not right\b|\bdoes not hold\b/, write: "can't, invalid" },
  {
    pattern: /\bgiven up\b|\bgives? up\b|\bwants? no more\b|\bgone\b/,
    write: 'dead letter, failed, deleted',
  },
  { pattern: /\bof its own\b|\b(an|the) own\b|\bown ones?\b|\bOwn\b/, write: 'custom, organization' },
  { pattern: /\bby hand\b/, write: 'manually' },
  { pattern: /\bIt looks like\b|\blook(s|ed)? (for|at|after)\b/, write: 'check; "Use…"' },
  {
    pattern:
      /\b(asks?|asked) (for (?!confirm)|how|of|again|in|it|before|whether)\b|\b(is|are) asked\b|\bnot asked\b/,
    write: 'requires, requests, evaluated',
  },
  { pattern: /\b[Tt]urn(s|ed)? (it |them )?(on|off)\b/, write: 'enable, disable' },
  { pattern: /\bput\b.*\bin front\b|\btake[ns]?\b.*\b(back|off|out of)\b/, write: 'add, remove' },
  {
    pattern:
      /\b[Ww]hat (exists|runs|is deployed|is upstream|came of|it is made|became|happened|was|stands)\b/,
    write: 'a noun',
  },
  { pattern: /\bas soon as\b|\bby itself\b|\bgoes? on\b/, write: 'when, automatically' },
  {
    pattern: /\b(answer(s|ed)|refuses?|(?<!connection )refused)\b/,
    write: 'return, response; reject',
  },
  {
    pattern: /\b(is|are) (tried|asked|sent|read|fetched|done) again\b|\bcomes? (back|again|late)\b/,
    write: 'retries',
  },
  { pattern: /\b(left|leaves?) out\b|\bLeft out\b/, write: 'exclude' },
  {
    pattern: /\w …|…\w|\b[Ee]-mail\b|\bset-up\b|\b[Cc]olour|\b[Ll]icence|\bcatalogue\b|\bhonoured\b/,
    write: 'US spelling; no space before …',
  },
  {
    pattern:
      /\b(a|the) (role|key) (of the role|of role)\b|\bkey of (the )?role\b|\bthe role (admin|member|reporter|agent)\b/,
    write: 'the reporter role',
  },
];

/** Text that is allowed to contain a stop word, and the reason. Each exception must still be needed. */
export interface AllowedText {
  /** Path of a file, or of a directory with a trailing slash. */
  where: string;
  /** A part of the allowed text. */
  text: string;
  reason: string;
}

export const allowedTexts: readonly AllowedText[] = [
  {
    where: 'src/platform/database/postgres-account.ts',
    text: '"nobody" user',
    reason: 'The name of a user of the system.',
  },
  {
    where: 'spec/components/schemas/DiscoveredItemStatus.yaml',
    text: '`gone`',
    reason: 'A value.',
  },
  {
    where: 'spec/components/schemas/AlertResolution.yaml',
    text: '`gone`',
    reason: 'A value.',
  },
  {
    where: 'docs/troubleshooting.md',
    text: 'Connection refused',
    reason: 'The name of a network error.',
  },
];
