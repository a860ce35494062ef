export async function runDoctorCommand(): Promise<number> {
  return 0;
}
