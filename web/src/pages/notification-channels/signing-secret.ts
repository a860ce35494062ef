/**
 * Generates a secret of 32 random bytes in the Standard Webhooks format. Only the browser has it until the
 * form is submitted.
 */
export function generateSigningSecret(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array): string {
  const bytes = random(new Uint8Array(32));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
