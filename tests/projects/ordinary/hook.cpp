#include <cassert>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "portcullis.hpp"

using namespace portcullis;

PORTCULLIS_HOOK(.id = "my-hook", .description = "Does what people do.");

struct Words {
    std::vector<int> all{1, 2, 3};

    __attribute__((noinline)) int at(size_t index) const {
        return all[index];
    }
};

Answer on_pre_turn() {
    std::string_view action = content();
    if (action == "print") {
        std::cout << "out " << 1 << std::endl;
        std::cout << "no end" << std::flush;
        std::cerr << "err\n";
        return pre_turn::reject("done", "");
    }
    if (action == "time") {
        auto now = std::chrono::system_clock::now().time_since_epoch();
        auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
        return pre_turn::reject("done", std::to_string(ms));
    }
    if (action == "random") {
        std::random_device device;
        return pre_turn::reject("done", std::to_string(device()) + std::to_string(device()));
    }
    if (action == "file") return pre_turn::reject("done", std::fopen("/etc/passwd", "r") ? "a file" : "no file");
    if (action == "trap") {
        auto words = std::make_unique<Words>();
        return pre_turn::reject("done", std::to_string(words->at(action.size() - 1)));
    }
    assert(!"boom 3");
    return proceed();
}
