/** Options for handling the versions that a scan finds. */
export const acceptOptions = [
  { value: 'ask', label: 'Ask me' },
  { value: 'known', label: 'Accept versions whose source is certain and on a host that you already use' },
  { value: 'all', label: 'Accept everything' },
];
