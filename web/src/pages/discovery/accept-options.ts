/** Options for handling the versions that a scan finds. */
export const acceptOptions = [
  { value: 'ask', label: 'Ask me' },
  { value: 'known', label: 'Accept versions whose source is certain and on a host that you already use' },
  { value: 'all', label: 'Accept everything' },
];

/** Roles of the versions to accept. */
export const roleOptions = [
  { value: 'deployed', label: 'Deployed software' },
  { value: 'build', label: 'Builds, such as Dockerfiles' },
  { value: 'ci', label: 'CI, such as workflows' },
];
