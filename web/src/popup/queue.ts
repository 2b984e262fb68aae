// The questions that this page knows, in order. This file does not use the DOM.

import type { Past, QueueEntry, Question, State } from "./wire";

/** QuestionQueue holds the state that the server sent. */
export class QuestionQueue {
  readonly #known = new Map<string, Question>();
  #order: readonly QueueEntry[] = [];
  #postponed = new Set<string>(); // ids of questions that the person postponed
  waiting = 0;
  history: readonly Past[] = [];

  /** update applies a state and returns the questions that are new here, and the ids of those that are over. */
  update(state: State): { fresh: Question[]; over: string[] } {
    const before = new Set(this.#order.map(({ id }) => id));
    for (const question of state.questions) this.#known.set(question.id, question);
    const now = new Set(state.order.map(({ id }) => id));
    const over = [...before].filter((id) => !now.has(id));
    for (const id of over) {
      this.#known.delete(id);
      this.#postponed.delete(id);
    }
    this.#order = state.order;
    this.waiting = state.waiting;
    this.history = state.history;
    return { fresh: this.all().filter(({ id }) => !before.has(id)), over };
  }

  /** all returns the open questions, oldest first. */
  all(): Question[] {
    return this.#order.flatMap(({ id }) => this.#known.get(id) ?? []);
  }

  current(): Question | undefined {
    const entry = this.#order.find(({ id, dialog }) => dialog && !this.#postponed.has(id));
    return entry && this.#known.get(entry.id);
  }

  /** isMine reports whether this page is the one to show a question. */
  isMine(id: string): boolean {
    return this.#order.some((entry) => entry.id === id && entry.dialog);
  }

  has(id: string): boolean {
    return this.#order.some((entry) => entry.id === id);
  }

  /** postpone hides a question until resume. */
  postpone(id: string): void {
    this.#postponed.add(id);
  }

  isPostponed(id: string): boolean {
    return this.#postponed.has(id);
  }

  /** resume ends the postponement of all questions. */
  resume(): void {
    this.#postponed.clear();
  }

  /** outcome returns how a question ended, if that is known. */
  outcome(id: string): Past | undefined {
    return this.history.find((past) => past.id === id);
  }
}
