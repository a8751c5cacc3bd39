/* A turn that was planned in the sandbox, on its way to the table. */

export interface Planned {
  /** steps that had been played where the plan began */
  count: number;
  line: string;
}

const plans = new Map<string, Planned>();

export const take = (table: string, plan: Planned): void => void plans.set(table, plan);

/** Once: a reload plays nothing. */
export function taken(table: string): Planned | undefined {
  const plan = plans.get(table);
  plans.delete(table);
  return plan;
}
