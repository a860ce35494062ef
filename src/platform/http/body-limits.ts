export const maxBodyBytes = 1024 * 1024;
/** Parts of a run's result may be larger than other bodies. */
export const maxAgentBodyBytes = 8 * 1024 * 1024;
