/**
 * Tasks that wait. Their owners take turns, so an owner with a hundred tasks delays no other. The tasks of one owner stay in
 * order.
 */
export function turns<Owner, Task>() {
  /** The Map's order is the order of turns. */
  const lines = new Map<Owner, Task[]>();
  const sizeOf = (owner: Owner) => lines.get(owner)?.length ?? 0;

  function takeAt(owner: Owner, at: number): Task | undefined {
    const line = lines.get(owner) ?? [];
    const [task] = line.splice(at, 1);
    if (line.length === 0) lines.delete(owner);
    return task;
  }

  return {
    sizeOf,
    size: () => [...lines.values()].reduce((sum, { length }) => sum + length, 0),
    /** Returns the owner with the most tasks, undefined if none waits. */
    longest: () => [...lines.keys()].toSorted((a, b) => sizeOf(b) - sizeOf(a))[0],
    add(owner: Owner, task: Task): void {
      const line = lines.get(owner);
      if (line) line.push(task);
      else lines.set(owner, [task]);
    },
    /** Takes the next task of an owner who may begin, and moves its owner to the end. Undefined if none may. */
    takeNext(mayBegin = (_owner: Owner): boolean => true): Task | undefined {
      const next = [...lines].find(([owner]) => mayBegin(owner));
      if (!next) return undefined;
      const [owner, line] = next;
      const task = takeAt(owner, 0);
      if (lines.delete(owner)) lines.set(owner, line);
      return task;
    },
    takeLast: (owner: Owner): Task | undefined => takeAt(owner, -1),
    /** Takes out a task that no longer waits. False if it has been taken. */
    remove(owner: Owner, task: Task): boolean {
      const at = lines.get(owner)?.indexOf(task) ?? -1;
      if (at >= 0) takeAt(owner, at);
      return at >= 0;
    },
  };
}
